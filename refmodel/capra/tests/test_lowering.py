"""Instructions of small graphs against listings worked out by hand, without reuse unless said otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.program import Program
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)


def compiled(graph: Graph, ranges: dict[str, float] | None = None, reuse: bool = False) -> Program:
    sample = {node.label.split("'")[1]: np.ones(node.shape) for node in graph.nodes if node.kind == "input"}
    return compile_graph(graph, [sample], ranges, reuse)


def listing(program: Program) -> list[Instruction]:
    """Return the instructions with the requantizers' parameters, which scales decide, set to 0."""
    instructions = [decode(word) for word in program.code]
    return [
        Requantize(each.dst, each.src, each.length, 0, 0, each.relu) if isinstance(each, Requantize) else each
        for each in instructions
    ]


def test_a_matmul_is_tiled_row_tiles_outer_and_requantized_in_place() -> None:
    """5×6 · 6×7: x at 0, w at 30, the result at 72; external memory holds x, w, then y."""
    graph = Graph()
    x = graph.input("x", (5, 6))
    graph.output(graph.matmul(x, graph.weight("w", np.ones((6, 7)))), "y")
    program = compiled(graph)
    assert listing(program) == [
        Load(0, 0, 30),
        Load(30, 30, 42),
        MatMul(72, 0, 30, 4, 6, 4, False, 6, 7, 7),
        MatMul(76, 0, 34, 4, 6, 3, False, 6, 7, 7),
        MatMul(100, 24, 30, 1, 6, 4, False, 6, 7, 7),
        MatMul(104, 24, 34, 1, 6, 3, False, 6, 7, 7),
        Requantize(72, 72, 35, 0, 0),
        Store(72, 72, 35),
        Halt(),
    ]
    assert program.nodes == (0, 1, 2, 2, 2, 2, 2, 3, -1)
    assert program.ends == (0, 0, 7, 8)


def test_a_transposed_operand_steps_by_whole_rows() -> None:
    """1×3 · (5×3)ᵀ: columns of the result are rows of w, which lies at 3 with stride 3."""
    graph = Graph()
    x = graph.input("x", (1, 3))
    graph.output(graph.matmul(x, graph.weight("w", np.ones((5, 3))), transpose_b=True), "y")
    assert listing(compiled(graph))[2:4] == [
        MatMul(18, 0, 3, 1, 3, 4, True, 3, 3, 5),
        MatMul(22, 0, 15, 1, 3, 1, True, 3, 3, 5),
    ]


def test_a_relu_is_fused_into_the_requantization() -> None:
    graph = Graph()
    x = graph.input("x", (1, 2))
    graph.output(graph.relu(graph.matmul(x, graph.weight("w", np.ones((2, 2))))), "y")
    assert listing(compiled(graph))[2:] == [
        MatMul(6, 0, 2, 1, 2, 2, False, 2, 2, 2),
        Requantize(6, 6, 2, 0, 0, relu=True),
        Store(6, 6, 2),
        Halt(),
    ]


def test_a_softmax_is_one_sm_a_row_and_an_argmax_one_amax_a_row() -> None:
    graph = Graph()
    x = graph.input("x", (2, 5))
    graph.softmax(x)
    graph.argmax(x)
    assert listing(compiled(graph)) == [
        Load(0, 0, 10),
        Softmax(10, 0, 5),
        Softmax(15, 5, 5),
        Requantize(10, 10, 10, 0, 0),
        ArgMax(20, 0, 5),
        ArgMax(21, 5, 5),
        Halt(),
    ]


def test_an_add_rescales_only_operands_of_another_scale_and_never_in_place() -> None:
    graph = Graph()
    x, y = graph.input("x", (2, 3)), graph.input("y", (2, 3))
    graph.add(graph.tag(x, "x"), y)
    assert listing(compiled(graph, {"x": 4.0})) == [
        Load(0, 0, 6),
        Load(6, 6, 6),
        Requantize(18, 6, 6, 0, 0),
        VectorAdd(12, 0, 18, 6),
        Halt(),
    ]


def test_both_operands_of_a_doubled_tensor_share_one_rescaled_copy() -> None:
    graph = Graph()
    x = graph.input("x", (1, 3))
    graph.add(x, x)
    assert listing(compiled(graph)) == [
        Load(0, 0, 3),
        Requantize(6, 0, 3, 0, 0),
        VectorAdd(3, 6, 6, 3),
        Halt(),
    ]


def test_parts_are_written_into_their_concatenation_and_slices_read_from_it() -> None:
    """x at 0, w at 2, the buffer of six rows of 2 at 6: a product, z from 8 on, x + x at 16.

    Externally x, z and w take 14 words. The slice begins in row 4 of the buffer.
    """
    graph = Graph()
    x, z = graph.input("x", (1, 2)), graph.input("z", (4, 2))
    product = graph.matmul(x, graph.weight("w", np.ones((2, 2))))
    inner = graph.concat_rows(product, z)
    outer = graph.concat_rows(inner, graph.add(x, x))
    part = graph.slice_rows(graph.slice_rows(outer, 1, 5), 3, 2)
    graph.output(part, "y")
    program = compiled(graph)
    assert listing(program) == [
        Load(0, 0, 2),
        Load(2, 10, 4),
        MatMul(6, 0, 2, 1, 2, 2, False, 2, 2, 2),
        Requantize(6, 6, 2, 0, 0),
        Load(8, 2, 8),
        Requantize(18, 0, 2, 0, 0),
        VectorAdd(16, 18, 18, 2),
        Store(14, 14, 4),
        Halt(),
    ]
    assert [program.addresses[node] for node in (product, inner, z, outer, part)] == [6, 6, 8, 6, 14]


def test_inputs_and_weights_are_loaded_once_just_before_their_first_reader() -> None:
    """Also when that reader is a view: the cache is loaded at the concatenation, before its slice is read."""
    graph = Graph()
    unread = graph.input("unread", (1, 1))
    x, cache = graph.input("x", (1, 2)), graph.input("cache", (3, 2))
    product = graph.matmul(x, graph.weight("w", np.ones((2, 2))))
    rows = graph.slice_rows(graph.concat_rows(cache, product), 0, 4)
    graph.matmul(x, rows, transpose_b=True)
    graph.matmul(x, graph.slice_rows(graph.weight("late", np.ones((3, 2))), 1, 2))
    program = compiled(graph)
    kinds = [(type(each).__name__, node) for each, node in zip(listing(program), program.nodes, strict=True)]
    assert kinds == [
        ("Load", x),
        ("Load", 3),
        ("MatMul", product),
        ("Requantize", product),
        ("Load", cache),
        ("MatMul", 7),
        ("Requantize", 7),
        ("Load", 8),
        ("MatMul", 10),
        ("Requantize", 10),
        ("Halt", -1),
    ]
    assert unread not in program.addresses
    addresses = [each.src for each in listing(program) if isinstance(each, Load)]
    assert addresses == [1, 9, 3, 13]  # inputs and weights lie in node order, the unread one first


def test_a_buffer_is_reused_after_the_last_reader_of_any_view_and_not_before() -> None:
    """The slice of x is read by the last matmul, so x outlives the weight that only the first one reads."""
    graph = Graph()
    x = graph.input("x", (2, 4))
    head = graph.slice_rows(x, 0, 1)
    first = graph.matmul(x, graph.weight("w", np.ones((4, 4))))
    second = graph.matmul(first, graph.weight("v", np.ones((4, 4))))
    graph.matmul(head, graph.weight("u", np.ones((4, 1))))
    graph.output(second, "y")
    program = compiled(graph, reuse=True)
    assert [program.addresses[node] for node in (x, 2, first, 4, second)] == [0, 8, 24, 8, 32]
    assert program.addresses[6] == 8  # u takes the place of v, which took w's
    assert program.scratchpad_words == 40


def test_rescaled_copies_are_given_back_after_their_sum() -> None:
    """x at 0, x + x at 4, its copy of x at 8; the second sum takes 8, its copies 12 and 16.

    Ranges are 1, 2 and 3, so that each sum rescales each operand.
    """
    graph = Graph()
    x = graph.input("x", (1, 4))
    first = graph.add(x, x)
    second = graph.add(first, x)
    program = compiled(graph, reuse=True)
    assert listing(program) == [
        Load(0, 0, 4),
        Requantize(8, 0, 4, 0, 0),
        VectorAdd(4, 8, 8, 4),
        Requantize(12, 4, 4, 0, 0),
        Requantize(16, 0, 4, 0, 0),
        VectorAdd(8, 12, 16, 4),
        Halt(),
    ]
    assert [program.addresses[node] for node in (x, first, second)] == [0, 4, 8]
    assert program.scratchpad_words == 20


@pytest.mark.parametrize("reuse", [False, True])
def test_what_nothing_reads_is_computed_and_its_place_given_back(reuse: bool) -> None:
    graph = Graph()
    x = graph.input("x", (1, 4))
    first, second = graph.add(x, x), graph.add(x, x)
    program = compiled(graph, reuse=reuse)
    assert (program.addresses[first] == program.addresses[second]) == reuse
