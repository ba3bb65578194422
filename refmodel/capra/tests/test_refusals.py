"""Every refusal of the compiler, with the node and the reason that its message names."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.errors import CompileError
from refmodel.capra.graph import Graph

ROWS, COLUMNS = 4, 3
INPUT = {"x": np.ones((ROWS, COLUMNS))}


def with_input() -> tuple[Graph, int]:
    graph = Graph()
    return graph, graph.input("x", (ROWS, COLUMNS))


def product(graph: Graph, a: int, columns: int = COLUMNS, scale: float = 1.0) -> int:
    inner = graph.nodes[a].shape[1]
    return graph.matmul(a, graph.weight("w", np.ones((inner, columns))), scale=scale)


def inner_dimension_of_65() -> Graph:
    graph = Graph()
    graph.output(product(graph, graph.input("x", (1, 65))), "y")
    return graph


def relu_of_an_input() -> Graph:
    graph, x = with_input()
    graph.output(graph.relu(x), "y")
    return graph


def relu_of_an_add() -> Graph:
    graph, x = with_input()
    graph.output(graph.relu(graph.add(x, x)), "y")
    return graph


def relu_of_a_shared_matmul() -> Graph:
    graph, x = with_input()
    shared = product(graph, x)
    graph.output(graph.relu(shared), "y")
    graph.output(shared, "z")
    return graph


def relu_of_a_slice() -> Graph:
    graph, x = with_input()
    graph.output(graph.relu(graph.slice_rows(product(graph, x), 0, 2)), "y")
    return graph


def two_relus_of_one_matmul() -> Graph:
    graph, x = with_input()
    shared = product(graph, x)
    graph.output(graph.add(graph.relu(shared), graph.relu(shared)), "y")
    return graph


def tensor_in_two_concats() -> Graph:
    graph, x = with_input()
    part = product(graph, x)
    graph.output(graph.concat_rows(x, part), "y")
    graph.output(graph.concat_rows(part, graph.weight("v", np.ones((1, COLUMNS)))), "z")
    return graph


def tensor_twice_in_one_concat() -> Graph:
    graph, x = with_input()
    graph.output(graph.concat_rows(x, x), "y")
    return graph


def slice_in_a_concat() -> Graph:
    graph, x = with_input()
    graph.output(graph.concat_rows(graph.slice_rows(x, 1, 2), product(graph, x)), "y")
    return graph


def multiplier_too_large() -> Graph:
    graph, x = with_input()
    graph.output(graph.softmax(product(graph, x, scale=2.0**35)), "y")
    return graph


def multiplier_too_small() -> Graph:
    graph, x = with_input()
    graph.output(graph.softmax(product(graph, x, scale=2.0**-41)), "y")
    return graph


def softmax_of_probabilities() -> Graph:
    graph, x = with_input()
    graph.output(graph.softmax(graph.softmax(x)), "y")
    return graph


def scratchpad_overflow() -> Graph:
    graph = Graph()
    x = graph.input("x", (32, 64))
    graph.output(graph.matmul(x, graph.weight("w", np.ones((64, 33)))), "y")
    return graph


def tensor_of_4096_words() -> Graph:
    graph = Graph()
    graph.output(graph.input("x", (64, 64)), "y")
    return graph


def program_of_4097_instructions() -> Graph:
    graph, x = with_input()
    for number in range(4096):
        graph.output(x, f"y{number}")
    return graph


def overflow_in_calibration() -> Graph:
    graph, x = with_input()
    graph.output(product(graph, product(graph, x, scale=1e200), scale=1e200), "y")
    return graph


REFUSED_GRAPHS: dict[Callable[[], Graph], str] = {
    inner_dimension_of_65: r"node 2 \(matmul\): its inner dimension k = 65 exceeds 64",
    relu_of_an_input: r"node 1 \(relu\): it cannot be fused .* node 0 \(input 'x'\), is not a matmul",
    relu_of_an_add: r"node 2 \(relu\): it cannot be fused .* node 1 \(add\), is not a matmul",
    relu_of_a_shared_matmul: r"node 3 \(relu\): .* node 2 \(matmul\), has another consumer, node 5 ",
    relu_of_a_slice: r"node 4 \(relu\): it reads a slice, node 3 \(slice\)",
    two_relus_of_one_matmul: r"node 3 \(relu\): .* node 2 \(matmul\), has another consumer, node 4 ",
    tensor_in_two_concats: r"node 2 \(matmul\): it feeds two concatenations, node 3 .* and node 6 ",
    tensor_twice_in_one_concat: r"node 0 \(input 'x'\): it feeds two concatenations, node 1 .* and node 1 ",
    slice_in_a_concat: r"node 4 \(concat\): it reads a slice, node 1 \(slice\)",
    multiplier_too_large: r"node 2 \(matmul\): requantizer multiplier .* is outside 2\^-40 <= R < 2\^24",
    multiplier_too_small: r"node 2 \(matmul\): requantizer multiplier .* is outside 2\^-40 <= R < 2\^24",
    softmax_of_probabilities: r"node 1 \(softmax\): its range is 7.9375 \(input .* node 2\), .* 1 \(prob",
    scratchpad_overflow: r"node \d+ \(.*\): the scratchpad is full, \d+ words are needed .* region has \d+",
    tensor_of_4096_words: r"node 0 \(input 'x'\): its 4096 words exceed the 4095",
    program_of_4097_instructions: r"node 4096 \(output 'y4095'\): the program exceeds 4096 instructions",
    overflow_in_calibration: r"node 4 \(matmul\): calibration reaches NaN or infinity",
}


@pytest.mark.parametrize("build", REFUSED_GRAPHS, ids=lambda build: build.__name__)
def test_a_graph_is_refused_naming_node_and_reason(build: Callable[[], Graph]) -> None:
    graph = build()
    sample = {"x": np.ones(graph.nodes[0].shape)}
    with pytest.raises(CompileError, match=REFUSED_GRAPHS[build]) as refusal:
        compile_graph(graph, [sample], ext_words=65536)
    assert "\n" not in str(refusal.value)


def refuse_while_building(build: Callable[[Graph, int], object], message: str) -> None:
    graph, x = with_input()
    with pytest.raises(CompileError, match=message):
        build(graph, x)
    assert len(graph.nodes) == 1


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda g, x: g.matmul(x, x), r"node 1 \(matmul of node 0 .* mismatched shapes 4×3 and 4×3"),
        (lambda g, x: g.slice_rows(x, 2, 0), r"node 1 \(slice of node 0 .* it is empty"),
        (lambda g, x: g.slice_rows(x, 2, 3), r"node 1 \(slice of node 0 .* rows 2..4 are out of range 0..3"),
        (lambda g, x: g.slice_rows(x, -1, 2), r"node 1 \(slice of node 0 .* out of range"),
        (lambda g, x: g.matmul(x, x, True, 0.0), r"node 1 \(matmul\): its factor 0.0 is not a positive"),
        (lambda g, x: g.matmul(x, x, True, float("nan")), r"node 1 \(matmul\): its factor nan"),
        (lambda g, x: g.add(x, 7), r"node 1 \(add\): its operand 7 is not the id"),
        (lambda g, _: g.weight("w", [[1.0, np.inf]]), r"node 1 \(weight 'w'\): .*NaN or infinity"),
        (lambda g, _: g.weight("w", [1.0]), r"node 1 \(weight 'w'\): .*not two-dimensional"),
        (lambda g, _: g.weight("w", np.ones((0, 2))), r"node 1 \(weight 'w'\): .*empty"),
        (lambda g, _: g.input("x", (1, 1)), r"node 1 \(input 'x'\): the name is already taken by node 0"),
        (lambda g, _: g.input("y", (0, 1)), r"node 1 \(input 'y'\): its shape 0×1 is empty"),
        (lambda g, _: g.input("y", (1,)), r"node 1 \(input 'y'\): its shape \(1,\) is not two-dimensional"),
        (lambda g, _: g.input("y", 3), r"node 1 \(input 'y'\): its shape 3 is not two-dimensional"),
        (lambda g, _: g.input("y", (2.5, 3)), r"node 1 \(input 'y'\): its shape \(2.5, 3\) is not"),
        (lambda g, _: g.weight("w", [[1.0], [2.0, 3.0]]), r"node 1 \(weight 'w'\): .* not a rectangular"),
        (lambda g, _: g.weight("w", [["one"]]), r"node 1 \(weight 'w'\): .* not .* real numbers"),
        (lambda g, _: g.weight("w", np.array([[1j]])), r"node 1 \(weight 'w'\): .* not .* real numbers"),
        (lambda g, _: g.weight("w", [[10**400]]), r"node 1 \(weight 'w'\): .* not .* real numbers"),
    ],
)  # fmt: skip
def test_a_node_is_refused_as_it_is_written(build: Callable[[Graph, int], object], message: str) -> None:
    refuse_while_building(build, message)


@pytest.mark.parametrize("method", ["add", "concat_rows", "matmul"])
def test_mismatched_shapes_are_refused(method: str) -> None:
    graph, x = with_input()
    other = graph.weight("w", np.ones((2, 2)))
    with pytest.raises(
        CompileError, match=r"node 2 \(\w+ of node 0 .* and node 1 .*: mismatched shapes 4×3 and 2×2"
    ):
        getattr(graph, method)(x, other)


def test_only_an_output_reads_indices_and_nothing_reads_an_output() -> None:
    graph, x = with_input()
    indices = graph.argmax(x)
    stored = graph.output(indices, "tok")
    with pytest.raises(CompileError, match=r"node 3 \(softmax\): node 1 \(argmax\) holds indices"):
        graph.softmax(indices)
    with pytest.raises(CompileError, match=r"node 3 \(softmax\): node 2 \(output 'tok'\) cannot be read"):
        graph.softmax(stored)
    with pytest.raises(CompileError, match=r"node 3 \(output 'tok'\): the name is already taken by node 2"):
        graph.output(x, "tok")


NOT_FINITE = np.where(np.eye(ROWS, COLUMNS) > 0, np.nan, 1.0)


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([], r"node 0 \(input 'x'\): calibration data is missing"),
        ([INPUT, {}], r"node 0 \(input 'x'\): calibration sample 1 does not give it"),
        ([INPUT, {"x": np.ones((3, 4))}], r"node 0 .* sample 1 has the wrong shape 3×4, expected 4×3"),
        ([{"x": 1.0}], r"node 0 .* sample 0 has the wrong shape of a scalar, expected 4×3"),
        (
            [{"x": [[1.0], [2.0, 3.0]]}],
            r"node 0 .*: in calibration sample 0 its values are not a rectangular",
        ),
        ([INPUT, {"x": "ones"}], r"node 0 .*: in calibration sample 1 its values are not .* real numbers"),
        (INPUT, r"node 0 \(input 'x'\): calibration sample 0 is no mapping of input names to arrays"),
        ([INPUT, {"x": NOT_FINITE}], r"node 0 \(input 'x'\): its calibration data contains NaN or infinity"),
        ([{"x": np.full((ROWS, COLUMNS), -np.inf)}], r"node 0 .* contains NaN or infinity"),
    ],
)
def test_calibration_is_refused(samples: list[dict[str, object]], message: str) -> None:
    graph, x = with_input()
    graph.output(product(graph, x), "y")
    with pytest.raises(CompileError, match=message):
        compile_graph(graph, samples)  # type: ignore[arg-type]


@pytest.mark.parametrize("ext_words", [-1, 0, 65537])
def test_an_external_memory_that_no_bench_has_is_refused(ext_words: int) -> None:
    graph, x = with_input()
    graph.output(x, "y")
    with pytest.raises(CompileError, match=rf"ext_words is {ext_words}, legal is 1..65536"):
        compile_graph(graph, [INPUT], ext_words=ext_words)


def test_a_full_external_memory_is_refused_at_the_node_that_overflows_it() -> None:
    graph, x = with_input()
    graph.output(product(graph, x), "y")
    with pytest.raises(
        CompileError, match=r"node 3 \(output 'y'\): external memory is full.* end at 33 of 32"
    ):
        compile_graph(graph, [INPUT], ext_words=32)
    assert compile_graph(graph, [INPUT], ext_words=33).ext_words == 33
    with pytest.raises(
        CompileError, match=r"node 1 \(weight 'w'\): external memory is full.* end at 21 of 20"
    ):
        compile_graph(graph, [INPUT], ext_words=20)


def test_what_lies_just_inside_the_limits_compiles() -> None:
    """k = 64, a slice of all rows, and multipliers just inside both bounds of the requantizer."""
    graph = Graph()
    x = graph.input("x", (1, 64))
    graph.output(graph.slice_rows(product(graph, x), 0, 1), "y")
    for number, ratio in enumerate((2.0**-40 * 1.001, 2.0**24 * 0.999)):
        # Scales: x and w have 1/127, scores 1/16.
        scores = product(graph, x, scale=ratio / (16 / 127**2))
        graph.output(graph.softmax(scores), f"p{number}")
    assert len(compile_graph(graph, [{"x": np.ones((1, 64))}]).outputs) == 3
