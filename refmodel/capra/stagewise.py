"""The stage-wise check: every tensor against the real-number meaning of its own operation.

The operands of a node are dequantized, its meaning is evaluated in real numbers and clamped to what its
tensor can represent, ±127 · scale. The tensor must lie within one level of its scale, two levels for an add,
which rounds both operands before it sums them; tensors that are only moved must be equal. Unlike a comparison
with the interpreter this needs no integer arithmetic to be right, and unlike one of the whole graph with real
numbers it accumulates no error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.evaluator import meaning
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    ConcatNode,
    InputNode,
    OutputNode,
    ReluNode,
    SliceNode,
    WeightNode,
)
from refmodel.capra.plan import QuantizationPlan
from refmodel.numerics.integer import INT8_MAX, IntArray
from refmodel.numerics.quantization import FloatArray, dequantize

ROUNDING_NOISE = 1e-6
"""Levels allowed for the float64 arithmetic of the check itself."""


@dataclass(frozen=True)
class StageDeviation:
    """How far one tensor is from its meaning."""

    node: int
    label: str
    levels: float
    """Largest deviation of an element, in levels of the tensor's scale."""
    allowed: float
    """Levels that the operation is allowed."""

    @property
    def excessive(self) -> bool:
        """Is the deviation larger than allowed?"""
        return self.levels > self.allowed + ROUNDING_NOISE


def stage_deviations(
    graph: Graph, plan: QuantizationPlan, inputs: Mapping[str, ArrayLike], values: Mapping[int, IntArray]
) -> list[StageDeviation]:
    """Return the deviation of every tensor in `values` (node id → integers) from its meaning.

    `inputs` holds the real inputs by name. Every operand of a node in `values` must be there too, except that
    a relu is judged by the operands of its matmul, whose own tensor need not exist.
    """
    return [_deviation(graph, plan, inputs, values, node) for node in sorted(values)]


def excessive_deviations(
    graph: Graph, plan: QuantizationPlan, inputs: Mapping[str, ArrayLike], values: Mapping[int, IntArray]
) -> list[StageDeviation]:
    """Return the deviations that are larger than allowed; an empty list is a pass."""
    return [deviation for deviation in stage_deviations(graph, plan, inputs, values) if deviation.excessive]


def _deviation(
    graph: Graph,
    plan: QuantizationPlan,
    inputs: Mapping[str, ArrayLike],
    values: Mapping[int, IntArray],
    node: int,
) -> StageDeviation:
    operation = graph.nodes[node]
    if isinstance(operation, InputNode):
        expected = np.asarray(inputs[operation.name], dtype=np.float64)
    elif isinstance(operation, WeightNode):
        expected = operation.values
    else:
        expected = _expected(graph, plan, values, node)
    if values[node].shape != expected.shape:
        raise ValueError(f"{graph.describe(node)}: shape {values[node].shape}, expected {expected.shape}")
    scale = plan.scales[node]
    if not _holds_indices(graph, node):
        expected = _clamp(expected, scale)
    levels = float(np.abs(dequantize(values[node], scale) - expected).max()) / scale
    match operation:
        case AddNode():
            allowed = 2.0
        case ArgMaxNode() | ConcatNode() | SliceNode() | OutputNode():
            allowed = 0.0
        case _:
            allowed = 1.0
    return StageDeviation(node, operation.label, levels, allowed)


def _expected(graph: Graph, plan: QuantizationPlan, values: Mapping[int, IntArray], node: int) -> FloatArray:
    """Return the meaning of a node that reads tensors, on its dequantized operands."""
    operation = graph.nodes[node]
    if isinstance(operation, ReluNode):
        return meaning(operation, [_expected(graph, plan, values, operation.operands[0])])
    operands = [dequantize(values[operand], plan.scales[operand]) for operand in operation.operands]
    if isinstance(operation, AddNode):
        # An operand is brought to the sum's scale before the sum. Where that scale is fixed below the
        # operand's range, the operand saturates on its own.
        operands = [_clamp(operand, plan.scales[node]) for operand in operands]
    return meaning(operation, operands)


def _holds_indices(graph: Graph, node: int) -> bool:
    operation = graph.nodes[node]
    if isinstance(operation, OutputNode):
        operation = graph.nodes[operation.operands[0]]
    return isinstance(operation, ArgMaxNode)


def _clamp(values: FloatArray, scale: float) -> FloatArray:
    return np.clip(values, -INT8_MAX * scale, INT8_MAX * scale)
