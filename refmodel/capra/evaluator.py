"""The meaning of a graph in real numbers, node by node.

`meaning` is the one place that says what each operation computes; the evaluator, the calibration and the
stage-wise check all use it. It works on single tensors and on stacks of them along a leading axis alike, and
yields the same bits for both: numpy multiplies a stack matrix by matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    ConcatNode,
    InputNode,
    MatMulNode,
    Node,
    OutputNode,
    ReluNode,
    SliceNode,
    SoftmaxNode,
    WeightNode,
)
from refmodel.numerics.quantization import FloatArray


def meaning(node: Node, operands: Sequence[FloatArray]) -> FloatArray:
    """Return what a node that reads tensors computes from the real values of its operands.

    Every operand is [rows, columns] or [samples, rows, columns]. Raises TypeError for an input or a weight,
    which compute nothing.
    """
    match node:
        case MatMulNode():
            a, b = operands
            product: FloatArray = np.matmul(a, b.swapaxes(-1, -2) if node.transpose_b else b)
            return product if node.factor == 1.0 else product * node.factor
        case SliceNode():
            rows: FloatArray = operands[0][..., node.start : node.start + node.shape[0], :]
            return rows
        case SoftmaxNode():
            exponentials: FloatArray = np.exp(operands[0] - operands[0].max(axis=-1, keepdims=True))
            probabilities: FloatArray = exponentials / exponentials.sum(axis=-1, keepdims=True)
            return probabilities
        case ConcatNode():
            return _stack_rows(operands[0], operands[1])
        case AddNode():
            return operands[0] + operands[1]
        case ReluNode():
            return np.maximum(operands[0], 0.0)
        case ArgMaxNode():
            return np.asarray(operands[0].argmax(axis=-1, keepdims=True), dtype=np.float64)
        case OutputNode():
            return operands[0]
        case _:
            raise TypeError(f"a node of kind {node.kind} computes nothing")


def evaluate(graph: Graph, inputs: Mapping[str, FloatArray]) -> list[FloatArray]:
    """Return the real value of every node, indexed by node id.

    `inputs` maps each input's name to a float64 [rows, columns] array, or all of them to stacks
    [samples, rows, columns]. Raises KeyError for a missing input; shapes are the caller's responsibility.
    """
    values: list[FloatArray] = []
    for node in graph.nodes:
        match node:
            case InputNode():
                values.append(inputs[node.name])
            case WeightNode():
                values.append(node.values)
            case _:
                values.append(meaning(node, [values[operand] for operand in node.operands]))
    return values


def evaluate_outputs(graph: Graph, inputs: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the real value of every output by name."""
    values = evaluate(graph, inputs)
    return {
        node.name: value
        for node, value in zip(graph.nodes, values, strict=True)
        if isinstance(node, OutputNode)
    }


def _stack_rows(upper: FloatArray, lower: FloatArray) -> FloatArray:
    """Concatenate along the row axis; a weight beside a stack of inputs is repeated for every sample."""
    if upper.ndim != lower.ndim:
        samples = max(upper.shape[:-2], lower.shape[:-2], key=len)
        upper = np.broadcast_to(upper, samples + upper.shape[-2:])
        lower = np.broadcast_to(lower, samples + lower.shape[-2:])
    return np.concatenate((upper, lower), axis=-2)
