"""The real-number meaning of every operation on small examples, and stacks against single samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from refmodel.capra.calibration import calibrated_ranges
from refmodel.capra.evaluator import evaluate, evaluate_outputs, meaning
from refmodel.capra.graph import Graph
from refmodel.capra.tests.cases import case


def test_every_operation_means_what_its_name_says() -> None:
    graph = Graph()
    x = graph.input("x", (2, 2))
    weight = graph.weight("w", [[1.0, 2.0], [0.5, -3.0]])
    product = graph.matmul(x, weight, scale=2.0)
    transposed = graph.matmul(x, weight, transpose_b=True)
    softmax = graph.softmax(x)
    total = graph.add(product, x)
    relu = graph.relu(transposed)
    both = graph.concat_rows(x, weight)
    middle = graph.slice_rows(both, 1, 2)
    first = graph.argmax(both)
    graph.output(middle, "middle")
    inputs = {"x": np.array([[1.0, 1.0], [0.0, math.log(3.0)]])}
    values = evaluate(graph, inputs)
    log3 = math.log(3.0)
    assert values[product] == pytest.approx(np.array([[3.0, -2.0], [log3, -6 * log3]]))
    assert values[transposed] == pytest.approx(np.array([[3.0, -2.5], [2 * log3, -3 * log3]]))
    assert values[softmax] == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))
    assert values[total] == pytest.approx(np.array([[4.0, -1.0], [log3, -5 * log3]]))
    assert values[relu] == pytest.approx(np.array([[3.0, 0.0], [2 * log3, 0.0]]))
    assert values[middle] == pytest.approx(np.array([[0.0, log3], [1.0, 2.0]]))
    assert values[first].tolist() == [[0.0], [1.0], [1.0], [0.0]]
    assert np.array_equal(evaluate_outputs(graph, inputs)["middle"], values[middle])


def test_softmax_does_not_overflow() -> None:
    graph = Graph()
    softmax = graph.softmax(graph.input("x", (1, 2)))
    values = evaluate(graph, {"x": np.array([[1000.0, 1000.0]])})
    assert values[softmax].tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("seed", range(12))
def test_a_stack_of_samples_gives_the_bits_of_single_samples(seed: int) -> None:
    """Ranges decide scales, so calibrating all samples at once must not change a single bit."""
    one = case("slices", seed)
    stacks = {name: np.stack([sample[name] for sample in one.samples]) for name in one.samples[0]}
    stacked = evaluate(one.graph, stacks)
    ranges = calibrated_ranges(one.graph, one.samples)
    largest = [0.0] * len(stacked)
    for number, sample in enumerate(one.samples):
        for node, single in enumerate(evaluate(one.graph, sample)):
            shared = stacked[node] if stacked[node].ndim == 2 else stacked[node][number]
            assert np.array_equal(shared, single), one.graph.describe(node)
            largest[node] = max(largest[node], float(np.abs(single).max()))
    for node, operation in enumerate(one.graph.nodes):
        if operation.kind in ("slice", "output"):
            largest[node] = largest[operation.operands[0]]
    assert ranges == largest


def test_an_input_computes_nothing() -> None:
    graph = Graph()
    graph.input("x", (1, 1))
    with pytest.raises(TypeError, match="a node of kind input computes nothing"):
        meaning(graph.nodes[0], [])
