"""How tensors are named, and which names are refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from refmodel.capra.errors import CompileError
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import GivenName
from refmodel.capra.tensor_names import tensor_names


def spelt(graph: Graph) -> dict[int, str]:
    assert all(given.first_row is None for given in tensor_names(graph).values())
    return {node: given.name for node, given in tensor_names(graph).items()}


def test_a_name_given_beats_the_outputs_which_beats_the_tag_which_beats_the_number() -> None:
    graph = Graph()
    x = graph.input("x", (2, 2))
    named, stored, tagged, plain = (graph.matmul(x, x) for _ in range(4))
    for node in (named, stored, tagged):
        graph.tag(node, f"tag{node}")
    for node in (named, stored):
        graph.output(node, f"out{node}")
    graph.output(stored, "again")
    graph.name(named, "special")
    assert spelt(graph) == {
        x: "x", named: "special", stored: "out2", tagged: "tag3", plain: "matmul_4",
        5: "out1", 6: "out2", 7: "again",
    }  # fmt: skip


def test_names_that_are_made_up_are_unlike_all_others() -> None:
    graph = Graph()
    x = graph.input("x", (2, 2))
    first, second = (graph.tag(graph.add(x, x), "sum") for _ in range(2))
    other = graph.tag(graph.add(x, x), "x")
    like_an_output = graph.tag(graph.add(x, x), "y")
    graph.output(graph.softmax(x), "y")
    unnamed = graph.add(x, x)
    graph.output(x, "add_8_")
    graph.weight("add_8", [[1.0]])
    names = spelt(graph)
    assert unnamed == 7
    assert [names[node] for node in (first, second, other, like_an_output)] == ["sum", "sum_2", "x_3", "y_4"]
    assert names[5] == names[6] == "y"
    last = graph.add(x, x)
    assert last == 10
    assert spelt(graph)[last] == "add_10"


def test_a_made_up_name_steps_aside_for_a_given_one() -> None:
    graph = Graph()
    x = graph.input("x", (2, 2))
    total = graph.add(x, x)
    graph.weight("add_1", [[1.0]])
    graph.output(x, "add_1_")
    assert spelt(graph)[total] == "add_1__"


def test_views_have_no_name_and_rows_know_what_they_are_rows_of() -> None:
    graph = Graph()
    x = graph.input("x", (1, 2))
    upper = graph.name(graph.add(x, x), "rows", first_row=0)
    lower = graph.name(graph.add(x, x), "rows", first_row=1)
    both = graph.concat_rows(upper, lower)
    part = graph.slice_rows(both, 0, 1)
    graph.output(both, "rows")
    names = tensor_names(graph.copy())
    assert names[upper] == GivenName("rows", 0)
    assert names[lower] == GivenName("rows", 1)
    assert names[5] == GivenName("rows")
    assert both not in names
    assert part not in names


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda graph: graph.name(9, "n"), "name 'n'.*operand 9 is not the id of an earlier node"),
        (lambda graph: graph.output("y", 1), "output '1'.*operand y is not the id of an earlier node"),
        (
            lambda graph: graph.name(0, "n"),
            r"node 0 \(input 'x'\) is not computed by instructions of its own",
        ),
        (lambda graph: graph.name(2, "n"), r"node 2 \(slice\) is not computed by instructions of its own"),
        (lambda graph: graph.name(1, "n", -1), "name 'n' from row -1.*rows are counted from 0"),
        (lambda graph: graph.name(graph.name(1, "m"), "n"), r"node 1 \(add\) already is 'm'"),
        (
            lambda graph: (graph.name(1, "n", 2), graph.name(3, "n", 2)),
            "name 'n' from row 2.*another tensor has this name already",
        ),
    ],
)
def test_refusals(give: Callable[[Graph], object], message: str) -> None:
    graph = Graph()
    x = graph.input("x", (1, 2))
    graph.slice_rows(graph.add(x, x), 0, 1)
    graph.add(x, x)
    with pytest.raises(CompileError, match=message):
        give(graph)
