"""The smallest plan that still fails: what to look at when a random graph found something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sequences.random_graphs.limits import violation
from sequences.random_graphs.memory import fits
from sequences.random_graphs.plan import GraphPlan, NodePlan
from sequences.random_graphs.shapes import shapes


def shrink(plan: GraphPlan, fails: Callable[[GraphPlan], bool]) -> GraphPlan:
    """Return a legal plan that fails and of which no smaller neighbour does; `plan` itself fails."""
    while True:
        smaller = next((each for each in smaller_plans(plan) if fails(each)), None)
        if smaller is None:
            return plan
        plan = smaller


def smaller_plans(plan: GraphPlan) -> Iterator[GraphPlan]:
    """Yield legal neighbours of a plan with fewer nodes or smaller tensors, the smallest first."""
    for candidate in _candidates(plan):
        stored = any(each.kind == "output" for each in candidate.nodes)
        if stored and violation(candidate) is None and fits(candidate):
            yield candidate


def _candidates(plan: GraphPlan) -> Iterator[GraphPlan]:
    for node in range(len(plan.nodes)):
        yield _without(plan, node)
    for node, each in enumerate(plan.nodes):
        if each.operands and each.kind not in ("argmax", "output"):
            yield _with(plan, node, NodePlan("input", (), shapes(plan)[node], seed=node + 3))
    given = [each.size for each in plan.nodes if each.kind in ("input", "weight") and each.size]
    for length in sorted({length for size in given for length in size}):
        for shorter in _shorter(length, 1):
            yield _with_lengths(plan, length, shorter)
    for node, each in enumerate(plan.nodes):
        if each.size is None:
            continue
        for axis, smallest in enumerate((0, 1) if each.kind == "slice" else (1, 1)):
            for size in _shorter(each.size[axis], smallest):
                sizes = (size, each.size[1]) if axis == 0 else (each.size[0], size)
                yield _with(plan, node, replace(each, size=sizes))


def _shorter(length: int, smallest: int) -> list[int]:
    """Return lengths to try instead of one: the smallest, half of it, one less."""
    return sorted({each for each in (smallest, length // 2, length - 1) if smallest <= each < length})


def _with_lengths(plan: GraphPlan, length: int, shorter: int) -> GraphPlan:
    """Return the plan with another length of every row and column of inputs and weights that has one."""
    nodes = list(plan.nodes)
    for node, each in enumerate(nodes):
        if each.kind in ("input", "weight") and each.size:
            rows, columns = (shorter if size == length else size for size in each.size)
            nodes[node] = replace(each, size=(rows, columns))
    return GraphPlan(tuple(nodes))


def _with(plan: GraphPlan, node: int, changed: NodePlan) -> GraphPlan:
    return GraphPlan((*plan.nodes[:node], changed, *plan.nodes[node + 1 :]))


def _without(plan: GraphPlan, removed: int) -> GraphPlan:
    """Return the plan without a node and without all that depends on it."""
    numbers: dict[int, int] = {}
    nodes: list[NodePlan] = []
    for node, each in enumerate(plan.nodes):
        if node == removed or any(operand not in numbers for operand in each.operands):
            continue
        numbers[node] = len(nodes)
        nodes.append(replace(each, operands=tuple(numbers[operand] for operand in each.operands)))
    return GraphPlan(tuple(nodes))
