"""Random graphs for the compiler and the chip, legal by construction.

In the order data flows: `plan` (a graph as a small value that can be printed), `shapes`, `limits` and
`memory` (what the compiler's documented limits say of it), `draw` (a plan from a seed), `build` (from a plan
to a graph, samples and a program), `graph_runs` (what is run of it), `graph_sequence` (to the RTL), `shrink`
(the smallest plan that still fails).
"""
