"""Documents and compiler agree on what is legal: what breaks a limit is refused for it, all else compiles."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from refmodel.capra.errors import CompileError
from sequences.random_graphs.build import build
from sequences.random_graphs.draw import draw_plan
from sequences.random_graphs.limits import violation
from sequences.random_graphs.memory import fits, fits_without_reuse
from sequences.random_graphs.plan import GraphPlan, Kind, NodePlan

SEEDS = range(100)
CHANGES = 12

OTHER_KINDS: dict[Kind, tuple[Kind, ...]] = {
    "matmul": ("transposed", "add", "concat"),
    "transposed": ("matmul", "add", "concat"),
    "add": ("concat", "matmul"),
    "concat": ("add", "transposed"),
    "relu": ("softmax", "argmax", "output"),
    "softmax": ("relu", "output", "argmax"),
    "argmax": ("relu", "softmax", "output"),
    "output": ("relu", "softmax", "argmax"),
    "input": ("weight",),
    "weight": ("input",),
    "slice": ("slice",),
}
"""What a node can become without a change to its operands."""


def changed_plans(seed: int) -> list[GraphPlan]:
    """Return plans with one random change each, most of which break something."""
    plan = draw_plan(seed)
    generator = np.random.default_rng([seed, 40])
    return [_changed(plan, generator) for _ in range(CHANGES)]


def _changed(plan: GraphPlan, generator: np.random.Generator) -> GraphPlan:
    node = int(generator.integers(len(plan.nodes)))
    each = plan.nodes[node]
    match int(generator.integers(3)):
        case 0 if each.operands:
            operands = list(each.operands)
            operands[int(generator.integers(len(operands)))] = int(generator.integers(node))
            each = replace(each, operands=tuple(operands))
        case 1 if each.size is not None:
            first, second = each.size
            start, stop = int(generator.integers(0, 3)), int(generator.integers(-2, 3))
            smallest = 0 if each.kind == "slice" else 1
            each = replace(each, size=(max(smallest, first + start - 1), max(smallest, second + stop)))
        case _:
            kinds = OTHER_KINDS[each.kind]
            each = replace(each, kind=kinds[int(generator.integers(len(kinds)))])
    return GraphPlan((*plan.nodes[:node], each, *plan.nodes[node + 1 :]))


def refusal(plan: GraphPlan, reuse: bool = True) -> str | None:
    """Return the compiler's message, or None when it accepts the plan."""
    try:
        build(plan).program(reuse)
    except CompileError as error:
        return str(error)
    return None


def test_changed_plans_are_refused_for_what_they_break_and_for_nothing_else() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        for plan in changed_plans(seed):
            broken, found = violation(plan), refusal(plan)
            if broken is None:
                seen["legal"] += found is None
                assert found is None or "full" in found, f"{found}\n{plan}"
                assert found is None or not fits(plan)
            else:
                assert found is not None, f"expected: {broken.message}\n{plan}"
                assert re.match(r"node \d+ \(.*\): ", found), found
                seen[broken.message] += 1
                assert re.search(broken.message, found), f"expected: {broken.message}\n{found}\n{plan}"
    expected = {
        "legal", "mismatched shapes", "cannot be read", "holds indices", "it is empty", "out of range",
        "reads a slice", "cannot be fused", "feeds two concatenations",
        "tensors that share its scale have the range",
    }  # fmt: skip
    assert seen.keys() == expected
    assert sum(seen.values()) > 0.95 * len(SEEDS) * CHANGES


@pytest.mark.parametrize("inner", [64, 65])
def test_the_inner_dimension_ends_at_64(inner: int) -> None:
    plan = GraphPlan(
        (
            NodePlan("input", (), (2, inner), 5),
            NodePlan("weight", (), (inner, 3), 6),
            NodePlan("matmul", (0, 1), seed=7),
            NodePlan("output", (2,)),
        )
    )
    assert (violation(plan) is None) == (refusal(plan) is None) == (inner == 64)


def sum_of_inputs(rows: int, columns: int) -> GraphPlan:
    """Return x + y; with its rescaled operands it needs five tensors' words at once, at most."""
    return GraphPlan(
        (
            NodePlan("input", (), (rows, columns), 5),
            NodePlan("input", (), (rows, columns), 6),
            NodePlan("add", (0, 1)),
            NodePlan("output", (2,)),
        )
    )


def test_what_fits_for_certain_compiles_and_what_is_too_large_does_not() -> None:
    largest_sure = max(rows for rows in range(1, 120) if fits(sum_of_inputs(rows, 16)))
    assert 5 * 16 * largest_sure <= 4096 < 5 * 16 * (largest_sure + 1)
    for rows in (1, largest_sure):
        assert refusal(sum_of_inputs(rows, 16)) is None
        assert fits_without_reuse(sum_of_inputs(rows, 16))
        assert refusal(sum_of_inputs(rows, 16), reuse=False) is None
    assert not fits(sum_of_inputs(90, 16))
    assert "scratchpad is full" in (refusal(sum_of_inputs(90, 16)) or "")
