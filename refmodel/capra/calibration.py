"""Calibration: the largest absolute value that every tensor takes over a list of sample inputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.errors import CompileError
from refmodel.capra.evaluator import evaluate
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import InputNode, OutputNode, SliceNode
from refmodel.capra.reals import real_array
from refmodel.numerics.quantization import FloatArray

Samples = Sequence[Mapping[str, ArrayLike]]
"""A list of {input name: float array}."""


def calibrated_ranges(graph: Graph, samples: Samples) -> list[float]:
    """Return the largest absolute real value of every node over all samples, indexed by node id.

    An output or a slice, whose scale is its source's whatever it holds, has the range of its source. Raises
    CompileError, naming the input, when there is no sample, when one lacks an input or gives it another
    shape, or when it holds NaN or infinity; naming the node, when a value overflows on the way.
    """
    stacks = _stack_samples(graph, samples)
    with np.errstate(over="ignore", invalid="ignore"):
        tensors = evaluate(graph, stacks)
    ranges: list[float] = []
    for node, (operation, values) in enumerate(zip(graph.nodes, tensors, strict=True)):
        if isinstance(operation, OutputNode | SliceNode):
            ranges.append(ranges[operation.operands[0]])
            continue
        # Not max() and min(): of so many small arrays they spend half their time in Python.
        largest = max(float(np.maximum.reduce(values, None)), -float(np.minimum.reduce(values, None)))
        if not math.isfinite(largest):
            raise graph.refusal(node, "calibration reaches NaN or infinity")
        ranges.append(largest)
    return ranges


def _stack_samples(graph: Graph, samples: Samples) -> dict[str, FloatArray]:
    """Return each input's samples as one [samples, rows, columns] array."""
    if not samples:
        raise CompileError(
            f"{_first_input(graph)}: calibration data is missing (the list of samples is empty)"
        )
    stacks: dict[str, FloatArray] = {}
    for node, operation in enumerate(graph.nodes):
        if not isinstance(operation, InputNode):
            continue
        stack = np.array(
            [_sampled(graph, node, operation, index, sample) for index, sample in enumerate(samples)]
        )
        if not np.isfinite(stack).all():
            raise graph.refusal(node, "its calibration data contains NaN or infinity")
        stacks[operation.name] = stack
    return stacks


def _sampled(
    graph: Graph, node: int, operation: InputNode, index: int, sample: Mapping[str, ArrayLike]
) -> FloatArray:
    """Return an input's values in one sample."""
    if not isinstance(sample, Mapping):
        raise graph.refusal(node, f"calibration sample {index} is no mapping of input names to arrays")
    if operation.name not in sample:
        raise graph.refusal(node, f"calibration sample {index} does not give it")
    given = sample[operation.name]
    if type(given) is np.ndarray and given.dtype == np.float64:
        array = given  # nothing to convert; nearly all samples are such
    else:
        try:
            array = real_array(given)
        except ValueError as error:
            raise graph.refusal(node, f"in calibration sample {index} {error}") from error
    if array.shape != operation.shape:
        expected = "×".join(map(str, operation.shape))
        found = "×".join(map(str, array.shape))
        raise graph.refusal(
            node,
            f"calibration sample {index} has the wrong shape {found or 'of a scalar'}, expected {expected}",
        )
    return array


def _first_input(graph: Graph) -> str:
    """Name the first input, or the first node of a graph without inputs."""
    ids = (node for node, operation in enumerate(graph.nodes) if isinstance(operation, InputNode))
    return graph.describe(next(ids, 0)) if graph.nodes else "empty graph"
