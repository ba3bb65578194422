"""The integer interpreter: a quantized graph executed node by node, without instructions, tiles or addresses.

It is the reference that compiled programs must equal bit for bit. It shares with the compiler only the
quantization plan and the arithmetic of `refmodel.numerics`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

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
from refmodel.capra.plan import QuantizationPlan
from refmodel.numerics.integer import IntArray, requantize, saturating_add, softmax_row
from refmodel.numerics.quantization import quantize


def interpret(graph: Graph, plan: QuantizationPlan, inputs: Mapping[str, ArrayLike]) -> list[IntArray]:
    """Return the integers of every node's tensor, indexed by node id.

    `inputs` maps every input's name to its real values, [rows, columns].
    """
    values: list[IntArray] = []
    for node, operation in enumerate(graph.nodes):
        match operation:
            case InputNode():
                values.append(
                    quantize(np.asarray(inputs[operation.name], dtype=np.float64), plan.scales[node])
                )
            case WeightNode():
                values.append(quantize(operation.values, plan.scales[node]))
            case _:
                operands = [values[operand] for operand in operation.operands]
                values.append(_execute(node, operation, plan, operands))
    return values


def interpret_outputs(
    graph: Graph, plan: QuantizationPlan, inputs: Mapping[str, ArrayLike]
) -> dict[str, IntArray]:
    """Return the integers of every output by name."""
    values = interpret(graph, plan, inputs)
    return {
        node.name: value
        for node, value in zip(graph.nodes, values, strict=True)
        if isinstance(node, OutputNode)
    }


def _execute(node: int, operation: Node, plan: QuantizationPlan, operands: list[IntArray]) -> IntArray:
    match operation:
        case MatMulNode():
            a, b = operands
            accumulators = a @ (b.T if operation.transpose_b else b)
            parameters = plan.requantizers[node]
            return requantize(accumulators, parameters.multiplier, parameters.shift)
        case SoftmaxNode():
            parameters = plan.requantizers[node]
            fractions = np.stack([softmax_row(row) for row in operands[0]])
            return requantize(fractions, parameters.multiplier, parameters.shift)
        case AddNode():
            left, right = (
                _rescaled(plan, node, operand, integers)
                for operand, integers in zip(operation.operands, operands, strict=True)
            )
            return saturating_add(left, right)
        case ReluNode():
            return np.maximum(operands[0], 0)
        case ConcatNode():
            return np.concatenate(operands, axis=0)
        case SliceNode():
            return operands[0][operation.start : operation.start + operation.shape[0]]
        case ArgMaxNode():
            columns: IntArray = operands[0].argmax(axis=1, keepdims=True)
            return columns
        case OutputNode():
            return operands[0]
        case _:
            raise TypeError(f"a node of kind {operation.kind} computes nothing")


def _rescaled(plan: QuantizationPlan, add: int, operand: int, integers: IntArray) -> IntArray:
    parameters = plan.rescales.get((add, operand))
    if parameters is None:
        return integers
    return requantize(integers, parameters.multiplier, parameters.shift)
