"""The source map of compiled graphs: random ones against the machine, small ones against maps by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from refmodel.capra import program
from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.tests.cases import EXT_WORDS, Flavour, case, every_case
from refmodel.capra.tests.mapped_program import MappedProgram
from refmodel.capra.tests.source_map_checks import CHECKS
from refmodel.machine.machine import Machine
from refmodel.source_map.places import ScratchpadPlace
from refmodel.source_map.tensor import Tensor
from refmodel.source_map.view import View


@lru_cache(maxsize=2)
def mapped(flavour: Flavour, seed: int) -> MappedProgram:
    one = case(flavour, seed)
    return MappedProgram(one.program, one.inputs)


@pytest.mark.parametrize("check", CHECKS)
@every_case
def test_random_graphs(check: Callable[[MappedProgram], None], flavour: Flavour, seed: int) -> None:
    check(mapped(flavour, seed))


@pytest.mark.parametrize("check", CHECKS)
def test_a_program_without_reuse(check: Callable[[MappedProgram], None]) -> None:
    one = case("slices", 3)
    assert one.without_reuse is not None
    check(MappedProgram(one.without_reuse, one.inputs))


def test_a_map_by_hand() -> None:
    """x + xw, both rescaled; y and the copy of x take the words of w, which only the product reads."""
    graph = Graph()
    x = graph.input("x", (1, 2))
    product = graph.matmul(x, graph.weight("w", [[1.0, -1.0], [0.5, 0.5]]))
    graph.output(graph.tag(graph.add(x, product), "sum"), "y")
    source_map = compile_graph(graph, [{"x": [[127.0, 0.0]]}], {"sum": 254.0}).source_map
    assert [str(source) for source in source_map.instructions] == [
        "load of x", "load of w", "matmul_2", "matmul_2",
        "x_for_y", "matmul_2_for_y", "y", "store of y", "None",
    ]  # fmt: skip
    assert [source.node for source in source_map.instructions if source] == [
        "x", "w", "matmul_2", "matmul_2", "y", "y", "y", "y",
    ]  # fmt: skip
    assert source_map.scratchpad == (
        ScratchpadPlace(Tensor("x", (1, 2), 1.0), 0, first=0, last=4),
        ScratchpadPlace(Tensor("w", (2, 2), 1 / 127), 2, first=1, last=2),
        ScratchpadPlace(Tensor("matmul_2", (1, 2), 1 / 127, "accumulator"), 6, first=2, last=3),
        ScratchpadPlace(Tensor("matmul_2", (1, 2), 1.0), 6, first=3, last=5),
        ScratchpadPlace(Tensor("x_for_y", (1, 2), 2.0), 4, first=4, last=6),
        ScratchpadPlace(Tensor("matmul_2_for_y", (1, 2), 2.0), 8, first=5, last=6),
        ScratchpadPlace(Tensor("y", (1, 2), 2.0), 2, first=6, last=7),
    )
    assert [(place.tensor.name, place.address) for place in source_map.ext] == [("x", 0), ("w", 2), ("y", 6)]


def test_a_bundle_carries_the_very_map_of_its_program() -> None:
    one = case("slices", 0)
    assert one.bundle.source_map is one.program.source_map


def test_no_map_is_made_before_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a map that nobody asked for")

    monkeypatch.setattr(program, "map_sources", refuse)
    one = case("slices", 0)
    compiled = compile_graph(one.graph, one.samples, ext_words=EXT_WORDS)
    assert Machine(strict=True).run(compiled.bundle(one.inputs)).halted
    with pytest.raises(AssertionError, match="nobody asked for"):
        _ = compiled.bundle(one.inputs).source_map


def test_operands_that_share_their_words_are_told_apart() -> None:
    """x and the slice that is all of x lie at the same address, and both are rescaled for their sum."""
    graph = Graph()
    x = graph.input("x", (2, 2))
    graph.output(graph.tag(graph.add(x, graph.slice_rows(x, 0, 2)), "sum"), "y")
    source_map = compile_graph(graph, [{"x": np.ones((2, 2))}], {"sum": 4.0}).source_map
    assert [str(source) for source in source_map.instructions[1:3]] == ["x_for_y", "slice_1_for_y"]


def test_softmax_rows_and_values_have_a_meaning() -> None:
    """A softmax's words are Q0.16 before its RQ and 127 levels after it; an argmax's are plain numbers."""
    graph = Graph()
    x = graph.input("x", (2, 3))
    graph.output(graph.softmax(x), "p")
    graph.output(graph.argmax(x), "best")
    source_map = compile_graph(graph, [{"x": np.ones((2, 3))}]).source_map
    assert [str(source) for source in source_map.instructions[1:-1]] == [
        "p[row 0]", "p[row 1]", "p", "store of p", "best[row 0]", "best[row 1]", "store of best",
    ]  # fmt: skip
    meanings = [(place.tensor.kind, place.tensor.scale) for place in source_map.scratchpad]
    assert meanings == [("int8", 1 / 16), ("fraction", 1 / 65536), ("int8", 1 / 127), ("index", 1.0)]


def test_what_nothing_reads_lives_while_it_is_written() -> None:
    graph = Graph()
    graph.argmax(graph.input("x", (3, 2)))
    source_map = compile_graph(graph, [{"x": np.ones((3, 2))}]).source_map
    assert source_map.scratchpad[1] == ScratchpadPlace(
        Tensor("argmax_1", (3, 1), 1.0, "index"), 6, first=1, last=3
    )


def test_what_needs_no_instruction_is_listed_as_a_view() -> None:
    graph = Graph()
    x = graph.input("x", (2, 2))
    hidden = graph.relu(graph.matmul(x, graph.weight("w", np.eye(2))))
    both = graph.concat_rows(graph.input("y", (1, 2)), hidden)
    graph.output(graph.slice_rows(both, 1, 2), "tail")
    source_map = compile_graph(graph, [{"x": np.ones((2, 2)), "y": np.ones((1, 2))}]).source_map
    assert source_map.views == (
        View("relu", ("matmul",)),
        View("concat", ("input", "relu")),
        View("slice", ("concat",)),
        View("output", ("slice",)),
    )
    assert source_map.role is None
