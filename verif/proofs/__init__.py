"""Proofs about the RTL by Yosys' SAT solver, and the equivalence of changed RTL (README.md)."""
