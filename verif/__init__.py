"""How the RTL is observed and judged: harness access, agents, scoreboard, environment, UVM tests."""
