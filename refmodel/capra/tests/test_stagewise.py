"""The stage-wise check tells a wrong tensor from a rounded one, for every operation."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.interpreter import interpret
from refmodel.capra.program import Program
from refmodel.capra.stagewise import excessive_deviations, stage_deviations
from refmodel.numerics.integer import IntArray

INPUTS = {"x": np.array([[0.9, -0.4, 0.2], [-0.1, 0.6, 0.3]])}


def every_operation() -> tuple[Program, dict[int, IntArray]]:
    """Compile a graph with one node of each kind and interpret it on `INPUTS`."""
    graph = Graph()
    x = graph.input("x", (2, 3))
    product = graph.matmul(x, graph.weight("w", [[0.3, -0.2, 0.1], [0.7, 0.2, -0.4], [0.1, -0.3, 0.8]]))
    relu = graph.relu(graph.matmul(product, graph.weight("v", np.eye(3))))
    softmax = graph.softmax(graph.slice_rows(product, 1, 1))
    both = graph.concat_rows(graph.add(x, relu), graph.weight("u", [[0.1, 0.2, 0.3]]))
    graph.output(graph.argmax(both), "tok")
    graph.output(softmax, "p")
    program = compile_graph(graph, [INPUTS])
    return program, dict(enumerate(interpret(program.graph, program.plan, INPUTS)))


NODES = [(node.kind, number) for number, node in enumerate(every_operation()[0].graph.nodes)]


def test_correct_tensors_pass() -> None:
    program, values = every_operation()
    deviations = stage_deviations(program.graph, program.plan, INPUTS, values)
    assert [deviation.node for deviation in deviations] == list(range(len(NODES)))
    assert not any(deviation.excessive for deviation in deviations)
    assert {kind for kind, _ in NODES} == {
        "input", "weight", "matmul", "relu", "slice", "softmax", "concat", "add", "argmax", "output",
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "node"), NODES)
def test_a_tensor_three_levels_off_is_found(kind: str, node: int) -> None:
    program, values = every_operation()
    values[node] = values[node].copy()
    values[node][0, 0] += 3 if values[node][0, 0] < 0 else -3
    found = [each.node for each in excessive_deviations(program.graph, program.plan, INPUTS, values)]
    assert node in found, kind


@pytest.mark.parametrize("kind", ["slice", "concat", "argmax", "output"])
def test_what_is_only_moved_or_counted_must_be_exact(kind: str) -> None:
    program, values = every_operation()
    node = dict(NODES)[kind]
    values[node] = values[node] + 1
    found = {each.node: each for each in excessive_deviations(program.graph, program.plan, INPUTS, values)}
    assert found[node].levels == pytest.approx(1.0)


def test_a_relu_is_judged_without_the_tensor_of_its_matmul() -> None:
    program, values = every_operation()
    relu = dict(NODES)["relu"]
    (source,) = program.graph.nodes[relu].operands
    del values[source]
    assert excessive_deviations(program.graph, program.plan, INPUTS, values) == []
    values[relu] = values[relu] + 2
    assert relu in [each.node for each in excessive_deviations(program.graph, program.plan, INPUTS, values)]


def test_saturation_is_part_of_the_meaning() -> None:
    """Scores of 20 saturate at 127/16, and each operand of a sum of fixed range at that range."""
    graph = Graph()
    x = graph.input("x", (1, 2))
    graph.softmax(graph.matmul(x, graph.weight("w", np.diag([20.0, 1.0]))))
    graph.tag(graph.add(x, graph.weight("v", [[-0.9, 0.1]])), "sum")
    inputs = {"x": np.array([[1.0, 0.5]])}
    program = compile_graph(graph, [inputs], {"sum": 0.25})
    values = dict(enumerate(interpret(graph, program.plan, inputs)))
    assert values[2].tolist() == [[127, 8]]
    assert values[5].tolist() == [[0, 127]]
    assert excessive_deviations(graph, program.plan, inputs, values) == []


def test_a_wrong_shape_is_an_error_of_the_caller() -> None:
    program, values = every_operation()
    values[0] = values[0][:1]
    with pytest.raises(ValueError, match=r"node 0 \(input 'x'\): shape \(1, 3\), expected \(2, 3\)"):
        stage_deviations(program.graph, program.plan, INPUTS, {0: values[0]})
