"""The comparison with the interpreter finds one wrong element, in memory and in the scratchpad."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from sequences.random_graphs.build import build
from sequences.random_graphs.draw import draw_plan
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.scoreboard.verdict import Aspect

BUILT = build(draw_plan(1))
INPUTS = BUILT.inputs(0)


def compared(reuse: bool, change: str | None = None, words: int = 1) -> Comparison:
    program = BUILT.program(reuse=reuse)
    result: RunResult = Machine(strict=True).run(program.bundle(INPUTS))
    ext, scratchpad = result.ext.copy(), result.scratchpad.copy()
    if change == "output":
        port = next(iter(program.outputs.values()))
        ext[port.address : port.address + words] ^= 1
    if change == "tensor":
        scratchpad[program.addresses[2]] ^= 1
    return compare_with_interpreter("one", program, INPUTS, replace(result, ext=ext, scratchpad=scratchpad))


def test_a_right_result_is_compared_element_by_element() -> None:
    outputs = sum(node.words for node in BUILT.graph.nodes if node.kind == "output")
    with_reuse, without = compared(reuse=True), compared(reuse=False)
    assert not with_reuse.mismatches
    assert not without.mismatches
    assert with_reuse.tally.comparisons == outputs > 0
    assert without.tally.comparisons > 2 * outputs


@pytest.mark.parametrize("words", [1, 2])
def test_a_wrong_output_is_found(words: int) -> None:
    (mismatch,) = compared(reuse=True, change="output", words=words).mismatches
    assert mismatch.aspect is Aspect.TENSOR
    assert mismatch.where.startswith("node ")
    assert "(output 'n" in mismatch.where
    assert "[0][0]" in mismatch.where
    assert ("2 of" in mismatch.where) == (words == 2)


def test_a_wrong_tensor_is_found_where_none_is_overwritten() -> None:
    assert not compared(reuse=True, change="tensor").mismatches
    found = compared(reuse=False, change="tensor").mismatches
    assert found
    assert all("in the scratchpad[0][0]" in mismatch.where for mismatch in found)
