"""How far a compiled graph's integers can be from real numbers, element by element, from first principles.

A bound is propagated through the graph beside the real values: what an operation makes of its operands'
errors, half a level for each rounding of its own, and what saturation cuts off. It holds for every graph and
every input, those that cancel or saturate included, where a fixed bound on the error would say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from refmodel.capra.evaluator import evaluate
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    ConcatNode,
    InputNode,
    MatMulNode,
    Node,
    SliceNode,
    SoftmaxNode,
    WeightNode,
)
from refmodel.capra.plan import QuantizationPlan
from refmodel.numerics.integer import INT8_MAX
from refmodel.numerics.quantization import FloatArray

MULTIPLIER_ERROR = 2.0**-23
"""Relative error of a requantizer's 24-bit multiplier, rounding of the float64 arithmetic here included."""

TABLE_STEP = 1 / 65535
"""One level of the softmax unit's exponentials and of its probabilities."""


def error_bounds(graph: Graph, plan: QuantizationPlan, inputs: Mapping[str, FloatArray]) -> list[FloatArray]:
    """Return for every node the largest possible |integer · scale − real value| of each of its elements."""
    values = evaluate(graph, inputs)
    bounds: list[FloatArray] = []
    for node, operation in enumerate(graph.nodes):
        operands = operation.operands
        exact = values[node]
        scale = plan.scales[node]
        if isinstance(operation, ArgMaxNode):
            bounds.append(np.full(exact.shape, np.inf))
            continue
        if isinstance(operation, AddNode):
            error = np.zeros(exact.shape)
            for operand in operands:
                rounding = scale / 2 if (node, operand) in plan.rescales else 0.0
                error = error + _saturated(bounds[operand] + rounding, values[operand], scale)
        else:
            error = _propagated(
                operation, [values[each] for each in operands], [bounds[each] for each in operands]
            )
        if isinstance(operation, InputNode | WeightNode | MatMulNode | SoftmaxNode):
            error = error + scale / 2 + MULTIPLIER_ERROR * np.abs(exact)
        bounds.append(_saturated(error, exact, scale))
    return bounds


def _saturated(error: FloatArray, exact: FloatArray, scale: float) -> FloatArray:
    """Return the error that is left when values are clamped to ±127 levels, which only helps inside."""
    return np.maximum(error, np.abs(exact) - INT8_MAX * scale)


def _propagated(operation: Node, values: list[FloatArray], bounds: list[FloatArray]) -> FloatArray:
    """Return the error that a node inherits from its operands."""
    match operation:
        case InputNode() | WeightNode():
            return np.zeros(operation.shape)
        case MatMulNode():
            (a, b), (a_error, b_error) = values, bounds
            if operation.transpose_b:
                b, b_error = b.T, b_error.T
            total: FloatArray = a_error @ (np.abs(b) + b_error) + np.abs(a) @ b_error
            return total * operation.factor
        case SoftmaxNode():
            (scores,), (error,) = values, bounds
            exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
            exact = exponentials / exponentials.sum(axis=1, keepdims=True)
            largest = np.minimum(error.max(axis=1, keepdims=True), 100.0)  # beyond that the bound is 1 anyway
            moved = exact * (np.exp(2 * largest) - 1 + scores.shape[1] * TABLE_STEP) + 2 * TABLE_STEP
            return np.asarray(np.minimum(moved, 1.0))
        case ConcatNode():
            return np.concatenate(bounds)
        case SliceNode():
            return bounds[0][operation.start : operation.start + operation.shape[0]]
        case _:
            return bounds[0]
