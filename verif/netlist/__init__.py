"""The chip as Yosys synthesizes it: netlists that the bench takes as RTL, and their cells."""
