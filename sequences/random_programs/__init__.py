"""Constrained-random programs: legal by construction, and the same on every machine. No pyuvm here.

`random_programs(seed, numbers)` yields them; README.md of `sequences` tells how they are made.
"""

from __future__ import annotations

from sequences.random_programs.generator import random_program, random_programs, with_predecessors
from sequences.random_programs.program_text import format_program, parse_program
from sequences.random_programs.random_program import RandomProgram
from sequences.random_programs.weights import Weights, default_weights, load_weights

__all__ = [
    "RandomProgram",
    "Weights",
    "default_weights",
    "format_program",
    "load_weights",
    "parse_program",
    "random_program",
    "random_programs",
    "with_predecessors",
]
