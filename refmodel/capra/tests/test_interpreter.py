"""The integer interpreter on examples small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.graph import Graph
from refmodel.capra.interpreter import interpret, interpret_outputs
from refmodel.capra.plan import QuantizationPlan, Requantizer

HALF = Requantizer(1 << 23, 24)
"""Multiplier 1/2."""


def hand_made_plan(
    nodes: int,
    requantizers: dict[int, Requantizer],
    rescales: dict[tuple[int, int], Requantizer] | None = None,
) -> QuantizationPlan:
    """Every scale is 1, so that real inputs are their own integers."""
    return QuantizationPlan((1.0,) * nodes, requantizers, rescales or {}, ())


def test_a_matmul_accumulates_exactly_rounds_half_away_and_saturates() -> None:
    """Row 1: 3·1 + 2·0 = 3 → 1.5 → 2; 3·(−1) = −3 → −1.5 → −2; 3·100 + 2·100 = 500 → 250 → 127."""
    graph = Graph()
    x = graph.input("x", (2, 2))
    product = graph.matmul(x, graph.weight("w", [[1.0, -1.0, 100.0], [0.0, 0.0, 100.0]]))
    plan = hand_made_plan(3, {product: HALF})
    values = interpret(graph, plan, {"x": [[3.0, 2.0], [-1.0, 0.0]]})
    assert values[product].tolist() == [[2, -2, 127], [-1, 1, -50]]


def test_a_transposed_operand_and_a_relu() -> None:
    graph = Graph()
    x = graph.input("x", (1, 2))
    product = graph.matmul(x, graph.weight("w", [[10.0, 20.0], [-30.0, 1.0]]), transpose_b=True)
    relu = graph.relu(product)
    values = interpret(graph, hand_made_plan(4, {product: HALF}), {"x": [[2.0, 1.0]]})
    assert values[product].tolist() == [[20, -30]]
    assert values[relu].tolist() == [[20, 0]]


def test_an_add_rescales_the_operands_it_is_told_to_and_saturates() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 3)), graph.input("y", (1, 3))
    total = graph.add(x, y)
    plan = hand_made_plan(3, {}, {(total, y): HALF})
    values = interpret(graph, plan, {"x": [[1.0, 100.0, -100.0]], "y": [[3.0, 60.0, -120.0]]})
    assert values[total].tolist() == [[3, 127, -127]]


def test_a_softmax_of_one_element_is_127() -> None:
    """The unit gives 65536 in Q0.16, which is 127; two equal scores give 63.5, which rounds to 64."""
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 2))
    one, two = graph.softmax(x), graph.softmax(y)
    plan = hand_made_plan(4, {one: Requantizer(127 << 17, 33), two: Requantizer(127 << 17, 33)})
    values = interpret(graph, plan, {"x": [[-5.0]], "y": [[7.0, 7.0]]})
    assert values[one].tolist() == [[127]]
    assert values[two].tolist() == [[64, 64]]


def test_rows_are_moved_and_first_maxima_found_without_arithmetic() -> None:
    graph = Graph()
    x = graph.input("x", (2, 3))
    both = graph.concat_rows(x, graph.weight("w", [[9.0, 9.0, 8.0]]))
    tail = graph.slice_rows(both, 1, 2)
    graph.output(graph.argmax(tail), "tok")
    graph.output(tail, "tail")
    outputs = interpret_outputs(graph, hand_made_plan(7, {}), {"x": [[1.0, 2.0, 3.0], [-4.0, -5.0, -3.0]]})
    assert outputs["tail"].tolist() == [[-4, -5, -3], [9, 9, 8]]
    assert outputs["tok"].tolist() == [[2], [0]]


def test_inputs_are_quantized_at_their_scale() -> None:
    graph = Graph()
    x = graph.input("x", (1, 3))
    values = interpret(graph, QuantizationPlan((0.5,), {}, {}, ()), {"x": np.array([[0.75, -0.74, 1000.0]])})
    assert values[x].tolist() == [[2, -1, 127]]


def test_an_unknown_input_is_an_error() -> None:
    graph = Graph()
    graph.input("x", (1, 1))
    with pytest.raises(KeyError):
        interpret(graph, hand_made_plan(1, {}), {"y": [[1.0]]})
