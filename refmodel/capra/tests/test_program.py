"""Programs: memory images, ports, outputs and bad input."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.program import Port, Program, ProgramInputError


def example() -> Program:
    """x (range 127, scale 1) beside w (range 254, scale 2), their product and its argmax."""
    graph = Graph()
    weight = graph.weight("w", np.array([[254.0, -2.0, 3.0]]))
    x = graph.input("x", (2, 1))
    product = graph.tag(graph.matmul(x, weight), "p")
    graph.output(product, "p")
    graph.output(graph.argmax(product), "tok")
    return compile_graph(graph, [{"x": [[127.0], [0.0]]}], {"p": 1270.0}, ext_words=100)


def test_a_bundle_holds_the_weights_and_the_quantized_inputs() -> None:
    """−2/2 = −1, 3/2 = 1.5 → 2, −4.5 → −5; negative numbers are sign-extended."""
    program = example()
    bundle = program.bundle({"x": [[-4.5], [300.0]]})
    assert bundle.code is program.code
    assert bundle.ext_words == 100
    assert bundle.ext.view(np.int32).tolist() == [127, -1, 2, -5, 127]
    assert bundle.ext.dtype == np.uint32
    assert program.bundle({"x": [[1.0], [1.0]]}).ext.view(np.int32).tolist() == [127, -1, 2, 1, 1]


def test_weights_are_laid_out_row_by_row_whatever_order_the_array_has() -> None:
    graph = Graph()
    values = np.asfortranarray([[127.0, 2.0], [3.0, 4.0]])
    graph.output(graph.weight("w", values), "y")
    assert compile_graph(graph, [{}]).weight_image.tolist() == [127, 2, 3, 4]


def test_ports_name_shape_scale_address_and_kind() -> None:
    program = example()
    assert program.inputs == {"x": Port((2, 1), 1.0, 3)}
    assert program.outputs == {"p": Port((2, 3), 10.0, 5), "tok": Port((2, 1), 1.0, 11, "index")}


def test_outputs_are_signed_and_shaped() -> None:
    program = example()
    ext = np.zeros(100, dtype=np.uint32)
    ext[5:13] = [1, 2, 0xFFFFFFFF, 4, 5, 0xFFFFFF81, 2, 0]
    outputs = program.read_outputs(ext)
    assert outputs["p"].tolist() == [[1, 2, -1], [4, 5, -127]]
    assert outputs["tok"].tolist() == [[2], [0]]
    assert program.dequantize("p", outputs["p"]).tolist() == [[10.0, 20.0, -10.0], [40.0, 50.0, -1270.0]]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "inputs are none; the program takes x"),
        ({"x": [[1.0], [1.0]], "y": [[1.0]]}, "inputs are x, y; the program takes x"),
        ({"x": [[1.0, 1.0]]}, r"input 'x' has shape \(1, 2\), expected \(2, 1\)"),
        ({"x": [[1.0], [1.0, 2.0]]}, "input 'x': its values are not a rectangular array of real numbers"),
        ({"x": [[1.0], [np.nan]]}, "input 'x' contains NaN or infinity"),
    ],
)
def test_bad_input_is_refused(inputs: dict[str, ArrayLike], message: str) -> None:
    with pytest.raises(ProgramInputError, match=message):
        example().bundle(inputs)


def test_a_program_does_not_follow_later_changes_of_its_graph() -> None:
    graph = Graph()
    x = graph.input("x", (1, 1))
    graph.output(x, "y")
    program = compile_graph(graph, [{"x": [[1.0]]}])
    graph.output(x, "z")
    assert len(program.graph.nodes) == 2
    assert list(program.outputs) == ["y"]


def test_an_empty_graph_is_a_program_that_halts() -> None:
    assert compile_graph(Graph(), [{}]).code == (0,)
