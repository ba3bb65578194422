"""Trace mode: every event of one program, taken out of the harness."""
