"""Scale planning: the one real range of every group of tensors that must share a scale.

Groups are the two parts and the result of a concatenation, a relu and its input, a slice and its source, an
output and its source. A group's range is the largest calibrated range of its members, unless a softmax pins
it or the user fixes it through a tag. An add joins no groups; the range of its group also covers the ranges
of both operands' groups, however far up the graph those are widened in turn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import AddNode, ArgMaxNode, ConcatNode, OutputNode, ReluNode, SliceNode, SoftmaxNode
from refmodel.numerics.integer import INT8_MAX
from refmodel.numerics.quantization import scale_of_range

SCORE_RANGE = INT8_MAX / 16
"""Range of a softmax's input, whose scale is 1/16 (Q4.4)."""

PROBABILITY_RANGE = 1.0
"""Range of a softmax's output, whose scale is 1/127."""


@dataclass(frozen=True)
class FixedRange:
    """A range that calibration has no say in, and what fixed it."""

    value: float
    reason: str
    node: int


class Groups:
    """Disjoint sets of nodes, each known by its first member (union-find with path halving)."""

    def __init__(self, graph: Graph) -> None:
        """Join what must share a scale."""
        self._parent = list(range(len(graph.nodes)))
        for node, operation in enumerate(graph.nodes):
            match operation:
                case ConcatNode() | ReluNode() | SliceNode() | OutputNode():
                    for operand in operation.operands:
                        self._join(node, operand)
                case _:
                    pass

    def of(self, node: int) -> int:
        """Return the first member of the group that `node` is in."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def _join(self, node: int, other: int) -> None:
        first, second = sorted((self.of(node), self.of(other)))
        self._parent[second] = first


def plan_scales(
    graph: Graph, calibrated: Sequence[float], ranges: Mapping[str, float]
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Return the scale of every node, and notes on saturation for the user.

    `calibrated` holds the largest absolute real value of every node; `ranges` maps tags to fixed ranges. The
    scale of an argmax, whose integers are indices, is 1. Raises CompileError when a fixed range is negative
    or not finite, when one group is given two different ranges, or when a range is too small for a scale.
    """
    groups = Groups(graph)
    fixed = _fixed_ranges(graph, groups, ranges)
    measured: dict[int, float] = {}
    for node, largest in enumerate(calibrated):
        group = groups.of(node)
        measured[group] = max(measured.get(group, 0.0), largest)
    planned = {
        group: fixed[group].value if group in fixed else largest for group, largest in measured.items()
    }
    _cover_operands_of_adds(graph, groups, planned, fixed)
    group_scales = {group: _group_scale(graph, group, largest) for group, largest in planned.items()}
    scales = tuple(group_scales[groups.of(node)] for node in range(len(graph.nodes)))
    notes = (
        *_score_notes(graph, calibrated),
        *_operand_notes(graph, scales),
        *_unused_range_notes(graph, ranges),
    )
    return scales, notes


def _fixed_ranges(graph: Graph, groups: Groups, ranges: Mapping[str, float]) -> dict[int, FixedRange]:
    """Return the range of every group that a softmax pins or a tag fixes."""
    fixed: dict[int, FixedRange] = {}

    def fix(node: int, value: float, reason: str) -> None:
        earlier = fixed.setdefault(groups.of(node), FixedRange(value, reason, node))
        if earlier.value != value:
            raise graph.refusal(
                node,
                f"its range is {value:g} ({reason}), but tensors that share its scale have "
                f"the range {earlier.value:g} ({earlier.reason} of {graph.describe(earlier.node)})",
            )

    for node, operation in enumerate(graph.nodes):
        if isinstance(operation, SoftmaxNode):
            fix(operation.operands[0], SCORE_RANGE, f"input of the softmax at node {node}")
            fix(node, PROBABILITY_RANGE, "probabilities")
    for node, tag in graph.tags:
        if tag in ranges:
            value = _size(ranges[tag])
            if value is None:
                raise graph.refusal(node, f"the range {ranges[tag]} of tag '{tag}' is not a finite size")
            fix(node, value, f"tag '{tag}'")
    return fixed


def _size(value: float) -> float | None:
    """Return a range that the user gave, or None when it is no finite number of at least 0."""
    try:
        size = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return size if math.isfinite(size) and size >= 0 else None


def _cover_operands_of_adds(
    graph: Graph, groups: Groups, planned: dict[int, float], fixed: Mapping[int, FixedRange]
) -> None:
    """Widen the range of every add's group to its operands' ranges, until no group grows any more."""
    adds = [
        (groups.of(node), [groups.of(operand) for operand in operation.operands])
        for node, operation in enumerate(graph.nodes)
        if isinstance(operation, AddNode) and groups.of(node) not in fixed
    ]
    # Ranges only grow, and only to values already present, so this ends; graphs without cycles of groups need
    # one round and a second that finds nothing to do.
    grown = True
    while grown:
        grown = False
        for group, operands in adds:
            needed = max(planned[operand] for operand in operands)
            if needed > planned[group]:
                planned[group] = needed
                grown = True


def _group_scale(graph: Graph, group: int, largest: float) -> float:
    if isinstance(graph.nodes[group], ArgMaxNode):
        return 1.0
    scale = scale_of_range(largest)
    if scale == 0.0:
        raise graph.refusal(group, f"its range {largest:g} is too small for a scale")
    return scale


def _score_notes(graph: Graph, calibrated: Sequence[float]) -> list[str]:
    return [
        f"{graph.describe(operation.operands[0])}: scores reach {calibrated[operation.operands[0]]:.3g} in "
        f"calibration and saturate at {SCORE_RANGE:g} (Q4.4)"
        for operation in graph.nodes
        if isinstance(operation, SoftmaxNode) and calibrated[operation.operands[0]] > SCORE_RANGE
    ]


def _operand_notes(graph: Graph, scales: Sequence[float]) -> list[str]:
    """Tell of operands that an add may clamp: the sum's range is fixed, or theirs was 0 in calibration."""
    return [
        f"{graph.describe(operand)}: its range {INT8_MAX * scales[operand]:.3g} exceeds the range "
        f"{INT8_MAX * scales[node]:.3g} of the sum at node {node}, so it saturates before the sum"
        for node, operation in enumerate(graph.nodes)
        if isinstance(operation, AddNode)
        for operand in dict.fromkeys(operation.operands)
        if scales[operand] > scales[node]
    ]


def _unused_range_notes(graph: Graph, ranges: Mapping[str, float]) -> list[str]:
    present = {tag for _, tag in graph.tags}
    return [f"ranges fixes tag '{tag}', which no tensor carries" for tag in ranges if tag not in present]
