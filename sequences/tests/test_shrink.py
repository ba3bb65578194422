"""A wrong compiler is found by random graphs, and what it does wrong shows in the smallest plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from refmodel.capra import lowering
from refmodel.capra.interpreter import interpret
from refmodel.isa.instructions import Instruction, Requantize, VectorAdd
from refmodel.machine.machine import Machine
from sequences.random_graphs.build import build
from sequences.random_graphs.draw import draw_plan
from sequences.random_graphs.limits import violation
from sequences.random_graphs.plan import GraphPlan
from sequences.random_graphs.shapes import shapes
from sequences.random_graphs.shrink import shrink, smaller_plans


def fails(plan: GraphPlan) -> bool:
    """Does the compiled plan compute something else than the interpreter?"""
    built = build(plan)
    program = built.program()
    outputs = program.read_outputs(Machine().run(program.bundle(built.inputs(0))).ext)
    expected = interpret(built.graph, program.plan, built.inputs(0))
    stored = [node for node, each in enumerate(plan.nodes) if each.kind == "output"]
    return any(not np.array_equal(outputs[f"n{node}"], expected[node]) for node in stored)


def emit_no_relu(instruction: Instruction) -> Instruction:
    return replace(instruction, relu=False) if isinstance(instruction, Requantize) else instruction


def emit_twice_the_first_operand(instruction: Instruction) -> Instruction:
    return replace(instruction, src2=instruction.src1) if isinstance(instruction, VectorAdd) else instruction


@pytest.mark.parametrize(("wrong", "guilty"), [(emit_no_relu, "relu"), (emit_twice_the_first_operand, "add")])
def test_a_wrong_compiler_is_found_and_shown_in_a_small_plan(
    monkeypatch: pytest.MonkeyPatch, wrong: Callable[[Instruction], Instruction], guilty: str
) -> None:
    right = lowering._Lowering._emit

    def emit(self: lowering._Lowering, node: int, instruction: Instruction) -> None:
        right(self, node, wrong(instruction))

    plans = [draw_plan(seed) for seed in range(12)]
    assert not any(fails(plan) for plan in plans)
    monkeypatch.setattr(lowering._Lowering, "_emit", emit)
    failing = [plan for plan in plans if fails(plan)]
    assert len(failing) >= 3
    for plan in failing[:3]:
        smallest = shrink(plan, fails)
        assert fails(smallest)
        assert guilty in [each.kind for each in smallest.nodes], str(smallest)
        assert len(smallest.nodes) <= 8, str(smallest)
        assert set(shapes(smallest)) == {(1, 1)}, str(smallest)


def test_smaller_plans_are_legal_and_smaller() -> None:
    plan = draw_plan(3)
    found = list(smaller_plans(plan))
    assert len(found) > 10

    def size(each: GraphPlan) -> tuple[int, int, int]:
        words = sum(rows * columns for rows, columns in shapes(each))
        starts = sum(node.size[0] for node in each.nodes if node.kind == "slice" and node.size)
        return len(each.nodes), sum(len(node.operands) for node in each.nodes), words + starts

    for each in found:
        assert violation(each) is None
        assert size(each) < size(plan)
