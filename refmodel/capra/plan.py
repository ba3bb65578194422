"""The quantization plan: what the compiler and the integer interpreter both need to know beyond the graph.

It holds scales and requantizer parameters and nothing about instructions, tiles or addresses, so that the two
remain independent in everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import AddNode, MatMulNode, SoftmaxNode
from refmodel.capra.scales import plan_scales
from refmodel.numerics.quantization import multiplier_and_shift

PROBABILITY_RATIO = 127 / 65536
"""Real multiplier from the softmax unit's Q0.16 to probabilities of scale 1/127."""

SAME_SCALE = 1e-9
"""Relative difference below which an add takes its operand as it is."""


@dataclass(frozen=True)
class Requantizer:
    """A real multiplier as the requantizer takes it: multiplier / 2^shift."""

    multiplier: int
    shift: int


@dataclass(frozen=True)
class QuantizationPlan:
    """Scales and requantizer parameters of one graph under one calibration."""

    scales: tuple[float, ...]
    """Scale of every node's tensor, indexed by node id; 1 for the indices of an argmax."""
    requantizers: Mapping[int, Requantizer]
    """After the accumulators of a matmul and after the Q0.16 values of a softmax, by node id."""
    rescales: Mapping[tuple[int, int], Requantizer]
    """From an operand's scale to an add's, by (add's id, operand's id); absent where the scales agree."""
    notes: tuple[str, ...]
    """What the user should know though it is no error, such as scores that saturate."""


def plan_quantization(
    graph: Graph, calibrated: Sequence[float], ranges: Mapping[str, float]
) -> QuantizationPlan:
    """Plan the scales and derive every requantizer from them.

    `calibrated` and `ranges` are those of `plan_scales`. Raises CompileError for a range conflict and for a
    multiplier outside 2^−40 ≤ R < 2^24, naming the node.
    """
    scales, notes = plan_scales(graph, calibrated, ranges)
    requantizers: dict[int, Requantizer] = {}
    rescales: dict[tuple[int, int], Requantizer] = {}
    for node, operation in enumerate(graph.nodes):
        match operation:
            case MatMulNode(operands=(a, b)):
                ratio = operation.factor * scales[a] * scales[b] / scales[node]
                requantizers[node] = _requantizer(graph, node, ratio)
            case SoftmaxNode():
                requantizers[node] = _requantizer(graph, node, PROBABILITY_RATIO)
            case AddNode():
                for operand in operation.operands:
                    if abs(scales[operand] - scales[node]) > SAME_SCALE * scales[node]:
                        rescales[node, operand] = _requantizer(graph, node, scales[operand] / scales[node])
            case _:
                pass
    return QuantizationPlan(scales, requantizers, rescales, notes)


def _requantizer(graph: Graph, node: int, ratio: float) -> Requantizer:
    try:
        return Requantizer(*multiplier_and_shift(ratio))
    except ValueError as error:
        raise graph.refusal(node, str(error)) from error
