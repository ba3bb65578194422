"""One random graph with everything that the tests compare, computed once and on demand."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Literal

import pytest
from numpy.typing import ArrayLike

from refmodel.capra.compiler import compile_graph
from refmodel.capra.errors import CompileError
from refmodel.capra.interpreter import interpret
from refmodel.capra.program import Program
from refmodel.capra.readback import read_snapshots
from refmodel.capra.tests.random_graphs import RandomGraph
from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from refmodel.numerics.integer import IntArray

Flavour = Literal["narrow", "slices", "wide"]

EXT_WORDS = 32768
"""External memory that holds every random graph: here the scratchpad shall be the limit."""


class Case:
    """A random graph, compiled and run with its first sample."""

    def __init__(self, flavour: Flavour, seed: int) -> None:
        self.random_graph = RandomGraph(seed, slices=flavour != "narrow", wide=flavour == "wide")
        self.graph = self.random_graph.graph
        self.samples = self.random_graph.samples
        self.inputs: dict[str, ArrayLike] = dict(self.samples[0])

    @cached_property
    def program(self) -> Program:
        return compile_graph(self.graph, self.samples, ext_words=EXT_WORDS)

    @cached_property
    def without_reuse(self) -> Program | None:
        """The program that uses no region twice, or None where the scratchpad is too small for that."""
        try:
            return compile_graph(self.graph, self.samples, reuse=False, ext_words=EXT_WORDS)
        except CompileError as error:
            if "scratchpad is full" not in str(error):
                raise
            return None

    @cached_property
    def bundle(self) -> Bundle:
        return self.program.bundle(self.inputs)

    @cached_property
    def interpreted(self) -> list[IntArray]:
        return interpret(self.graph, self.program.plan, self.inputs)

    @cached_property
    def snapshots(self) -> dict[int, IntArray]:
        """Every tensor of the program with reuse, read after its last reader."""
        return read_snapshots(self.program, self.bundle)

    def run(self, program: Program) -> RunResult:
        return Machine(strict=True).run(program.bundle(self.inputs))


@cache
def case(flavour: Flavour, seed: int) -> Case:
    return Case(flavour, seed)


def fits(flavour: Flavour, seed: int) -> bool:
    """Does the random graph fit into the scratchpad where that is reused?"""
    try:
        return bool(case(flavour, seed).program.code)
    except CompileError as error:
        if "scratchpad is full" not in str(error):
            raise
        return False


CASES: list[tuple[Flavour, int]] = [
    *(("narrow", seed) for seed in range(35)),
    *(("slices", seed) for seed in range(42)),
    *(("wide", seed) for seed in range(30) if fits("wide", seed)),
]
"""Flavours and seeds; the narrow and sliced ones are multiples of the operations a graph is built around."""

every_case = pytest.mark.parametrize(
    ("flavour", "seed"),
    [
        pytest.param(*one, marks=() if number % 4 == 0 else pytest.mark.slow)
        for number, one in enumerate(CASES)
    ],
)
"""Runs a test on every case; on three of four with the slow tests alone."""
