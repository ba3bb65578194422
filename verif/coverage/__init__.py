"""Functional coverage: what was exercised, counted from programs that ran on the RTL and passed."""
