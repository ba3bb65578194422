"""Code coverage of the RTL: what Verilator counted, what is excluded and why, and the percentages."""
