"""The UVM tests: what runs inside the simulator. verif/simulation.py starts them from outside."""
