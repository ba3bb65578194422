"""Compares what a compiled program left on the RTL with the integer interpreter: tensor by tensor.

The machine that the scoreboard runs knows the program but not the graph: a wrong compiler satisfies it. The
interpreter knows the graph alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.interpreter import interpret
from refmodel.capra.nodes import OutputNode
from refmodel.capra.program import Program
from refmodel.capra.readback import read_all
from refmodel.machine.result import RunResult
from refmodel.numerics.integer import IntArray
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.verdict import Aspect, Mismatch


def compare_with_interpreter(
    name: str, program: Program, inputs: Mapping[str, ArrayLike], result: RunResult
) -> Comparison:
    """Compare every output and, of a program that reuses no word, every tensor in the scratchpad."""
    comparison = Comparison(name)
    graph = program.graph
    expected = interpret(graph, program.plan, inputs)
    outputs = program.read_outputs(result.ext)
    for node, operation in enumerate(graph.nodes):
        if isinstance(operation, OutputNode):
            _compare(comparison, graph.describe(node), expected[node], outputs[operation.name])
    if not program.reuse:
        for node, tensor in read_all(program, result.scratchpad).items():
            _compare(comparison, f"{graph.describe(node)} in the scratchpad", expected[node], tensor)
    return comparison


def _compare(comparison: Comparison, where: str, expected: IntArray, found: IntArray) -> None:
    comparison.tally.comparisons += expected.size
    wrong = np.argwhere(expected != found)
    if len(wrong):
        row, column = wrong[0].tolist()
        more = f" ({len(wrong)} of {expected.size} elements differ)" if len(wrong) > 1 else ""
        place = f"{where}[{row}][{column}]{more}"
        values = str(expected[row, column]), str(found[row, column])
        comparison.mismatches.append(Mismatch(comparison.program, Aspect.TENSOR, place, *values))
