"""Proofs about the compiler's features: small graphs, compiled and run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.numerics.quantization import FloatArray
from sequences.coverage_proofs.proof import Proof, of_bundle, single
from sequences.directed.directed_program import DirectedProgram


def compiler_proofs() -> Iterator[Proof]:
    """Yield them."""
    yield single("compiled_instruction", ("RQ of an operand for a sum",), _sum(127, 1), _product(2, 2, 2))
    yield single("tile_remainder", ("3", "1"), _product(7, 4, 5), _product(5, 4, 7), _product(3, 4, 4))
    yield single("tile_count", ("2", "3..1024"), _product(5, 4, 9), _product(4, 4, 9), _product(9, 4, 5))
    yield single(
        "product_depth",
        ("17..63", "transposed"),
        _product(2, 20, 3, transposed=True),
        _product(2, 20, 3),
        _product(2, 16, 3, transposed=True),
    )
    yield single("fused_relu", ("a fused relu",), _product(2, 2, 2, relu=True), _product(2, 2, 2))
    yield single("rescaled_operand", ("as it was", "rescaled"), _sum(127, 1), _sum(1, 127), _sum(127, 127))
    yield single("view", ("slice", "concat"), _slice(of_concat=True), _slice(of_concat=False))
    yield single("buffer_reuse", ("the words of a dead one",), _chain(reuse=True), _chain(reuse=False))
    # The weight goes where the sum's two rescaled operands were, and beyond if it is larger.
    small, large = _weighted_sum(columns=2), _weighted_sum(columns=8)
    yield single("buffer_reuse", ("words of several dead ones",), small, _chain(reuse=True))
    yield single("buffer_reuse", ("words of the dead and words never used before",), large, small)


def _compiled(build: Callable[[Graph], dict[str, FloatArray]], reuse: bool = True) -> DirectedProgram:
    """Compile what `build` adds to a graph, on the very inputs that it returns."""
    graph = Graph()
    inputs = build(graph)
    return of_bundle(compile_graph(graph, [inputs], reuse=reuse).bundle(inputs))


def _product(
    rows: int, inner: int, columns: int, transposed: bool = False, relu: bool = False
) -> DirectedProgram:
    def build(graph: Graph) -> dict[str, FloatArray]:
        x = graph.input("x", (rows, inner))
        w = graph.weight("w", np.ones((columns, inner) if transposed else (inner, columns)))
        product = graph.matmul(x, w, transpose_b=transposed)
        graph.output(graph.relu(product) if relu else product, "y")
        return {"x": np.ones((rows, inner))}

    return _compiled(build)


def _sum(left: float, right: float) -> DirectedProgram:
    """Each operand is large where the other is 0, so the sum's range is the larger one's."""

    def build(graph: Graph) -> dict[str, FloatArray]:
        graph.output(graph.add(graph.input("x", (1, 2)), graph.input("y", (1, 2))), "sum")
        return {"x": np.array([[left, 0.0]]), "y": np.array([[0.0, right]])}

    return _compiled(build)


def _weighted_sum(columns: int) -> DirectedProgram:
    def build(graph: Graph) -> dict[str, FloatArray]:
        total = graph.add(graph.input("x", (1, 4)), graph.input("y", (1, 4)))
        graph.output(graph.matmul(total, graph.weight("w", np.ones((4, columns)))), "z")
        return {"x": np.ones((1, 4)), "y": np.ones((1, 4))}

    return _compiled(build)


def _slice(of_concat: bool) -> DirectedProgram:
    def build(graph: Graph) -> dict[str, FloatArray]:
        x, y = graph.input("x", (2, 2)), graph.input("y", (2, 2))
        both = graph.concat_rows(x, y)
        graph.output(graph.slice_rows(both if of_concat else x, 1, 1), "row")
        graph.output(both, "both")
        return {"x": np.ones((2, 2)), "y": np.ones((2, 2))}

    return _compiled(build)


def _chain(reuse: bool) -> DirectedProgram:
    """Products of one size after another: each may take the words of the one before the last."""

    def build(graph: Graph) -> dict[str, FloatArray]:
        x = graph.input("x", (2, 2))
        for name in ("v", "w", "u"):
            x = graph.matmul(x, graph.weight(name, np.eye(2)))
        graph.output(x, "y")
        return {"x": np.ones((2, 2))}

    return _compiled(build, reuse)
