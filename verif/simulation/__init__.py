"""Simulations from outside: started through sim.mk, their reports brought back, nothing left running."""
