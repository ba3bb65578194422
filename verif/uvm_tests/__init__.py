"""The UVM tests: what runs inside the simulator. verif/simulation/simulation.py starts them from outside."""
