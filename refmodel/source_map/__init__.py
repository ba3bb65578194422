"""What a program's instructions are for and what its memory words mean (docs/architecture.md, "Source map").

In the order in which they build on each other: `tensor` (a tensor and one element of it),
`instruction_source` (what one instruction works on), `places` (where tensors lie, and when), `view` (what
needs no instruction), `role` (which step of a decoding it is), `source_map` (all of it for one program, with
the questions that reports ask). The compiler makes it, a bundle carries it; a program that no compiler made
has none.
"""
