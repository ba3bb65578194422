"""Scale planning: groups, the rule for adds, pins, fixed ranges and notes, with ranges worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.errors import CompileError
from refmodel.capra.graph import Graph
from refmodel.capra.plan import QuantizationPlan


def plan_of(
    graph: Graph, sample: dict[str, float], ranges: dict[str, float] | None = None
) -> QuantizationPlan:
    """Plan with one calibration sample in which every element of an input has the same value."""
    shapes = {node.label: node.shape for node in graph.nodes}
    arrays = {name: np.full(shapes[f"input '{name}'"], value) for name, value in sample.items()}
    return compile_graph(graph, [arrays], ranges).plan


def range_of(plan: QuantizationPlan, node: int) -> float:
    return plan.scales[node] * 127


def test_the_parts_and_the_result_of_a_concatenation_share_the_largest_range() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 2)), graph.input("y", (2, 2))
    both = graph.concat_rows(x, y)
    plan = plan_of(graph, {"x": 2.0, "y": -5.0})
    assert [range_of(plan, node) for node in (x, y, both)] == pytest.approx([5.0] * 3)


def test_a_relu_shares_the_range_of_its_input_negative_values_included() -> None:
    graph = Graph()
    x = graph.input("x", (1, 1))
    product = graph.matmul(x, graph.weight("w", [[-4.0, 1.0]]))
    relu = graph.relu(product)
    plan = plan_of(graph, {"x": 1.5})
    assert range_of(plan, product) == range_of(plan, relu) == pytest.approx(6.0)


def test_a_slice_and_an_output_share_the_range_of_their_source() -> None:
    graph = Graph()
    w = graph.weight("w", [[1.0, 2.0], [3.0, -7.0]])
    top = graph.slice_rows(w, 0, 1)
    graph.input("x", (1, 1))
    stored = graph.output(top, "y")
    plan = plan_of(graph, {"x": 1.0})
    assert [range_of(plan, node) for node in (w, top, stored)] == pytest.approx([7.0] * 3)


def test_groups_join_transitively() -> None:
    graph = Graph()
    x, y, z = (graph.input(name, (1, 1)) for name in "xyz")
    everything = graph.concat_rows(graph.concat_rows(x, y), z)
    tail = graph.slice_rows(everything, 2, 1)
    plan = plan_of(graph, {"x": 9.0, "y": 1.0, "z": 2.0})
    assert [range_of(plan, node) for node in (x, y, z, everything, tail)] == pytest.approx([9.0] * 5)


def test_an_add_covers_its_operands_without_joining_them() -> None:
    """2 + (−1.5) = 0.5: the sum's range is 2, so only the second operand is rescaled, by 0.75."""
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 1))
    total = graph.add(x, y)
    plan = plan_of(graph, {"x": 2.0, "y": -1.5})
    assert [range_of(plan, node) for node in (x, y, total)] == pytest.approx([2.0, 1.5, 2.0])
    assert plan.rescales.keys() == {(total, y)}
    requantizer = plan.rescales[total, y]
    assert requantizer.multiplier / 2**requantizer.shift == pytest.approx(0.75, rel=1e-6)


def test_an_add_covers_ranges_that_later_nodes_widen() -> None:
    """The operand x is widened to 50 by a concatenation written after the add, the second sum in turn."""
    graph = Graph()
    x, y, z = (graph.input(name, (1, 1)) for name in "xyz")
    first = graph.add(x, y)
    second = graph.add(first, y)
    graph.concat_rows(x, z)
    plan = plan_of(graph, {"x": 1.0, "y": 1.0, "z": 50.0})
    assert [range_of(plan, node) for node in (x, first, second, y)] == pytest.approx([50.0, 50.0, 50.0, 1.0])


def test_widening_goes_on_until_nothing_grows() -> None:
    """50 − 49 = 1 is widened to 50 only after the first add was looked at, whose operand shares its group."""
    graph = Graph()
    x, y, p, q = (graph.input(name, (1, 1)) for name in "xypq")
    first = graph.add(x, y)
    difference = graph.add(p, q)
    graph.concat_rows(x, difference)
    plan = plan_of(graph, {"x": 1.0, "y": 1.0, "p": 50.0, "q": -49.0})
    assert [range_of(plan, node) for node in (difference, x, first)] == pytest.approx([50.0, 50.0, 50.0])


def test_operands_within_one_billionth_of_the_sum_are_not_rescaled() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 1))
    total = graph.add(graph.tag(x, "x"), graph.tag(y, "y"))
    graph.tag(total, "sum")
    ranges = {"x": 8.0 * (1 + 0.9e-9), "y": 8.0 * (1 + 1.1e-9), "sum": 8.0}
    assert plan_of(graph, {"x": 1.0, "y": 1.0}, ranges).rescales.keys() == {(total, y)}


def test_a_softmax_pins_its_input_to_sixteenths_and_its_output_to_127ths() -> None:
    graph = Graph()
    x = graph.input("x", (1, 3))
    scores = graph.concat_rows(x, graph.input("y", (1, 3)))
    probabilities = graph.softmax(scores)
    head = graph.slice_rows(probabilities, 0, 1)
    plan = plan_of(graph, {"x": 0.5, "y": 2.0})
    assert plan.scales[x] == plan.scales[scores] == 1 / 16
    assert plan.scales[probabilities] == plan.scales[head] == 1 / 127
    requantizer = plan.requantizers[probabilities]
    assert requantizer.multiplier / 2**requantizer.shift == 127 / 65536


def test_a_matmul_multiplies_its_factor_and_the_scales() -> None:
    """factor · s_a · s_b / s_out = 0.5 · (2/127) · (4/127) / (12/127)."""
    graph = Graph()
    x = graph.input("x", (1, 3))
    product = graph.matmul(x, graph.weight("w", np.full((3, 1), 4.0)), scale=0.5)
    plan = plan_of(graph, {"x": 2.0})
    requantizer = plan.requantizers[product]
    assert range_of(plan, product) == pytest.approx(12.0)
    assert requantizer.multiplier / 2**requantizer.shift == pytest.approx(0.5 * 2 * 4 / 127 / 12, rel=1e-6)


def test_a_tensor_that_is_always_zero_has_the_scale_of_range_one() -> None:
    graph = Graph()
    x = graph.input("x", (1, 1))
    assert plan_of(graph, {"x": 0.0}).scales[x] == 1 / 127


def test_indices_have_scale_one() -> None:
    graph = Graph()
    stored = graph.output(graph.argmax(graph.input("x", (1, 5))), "tok")
    assert plan_of(graph, {"x": 100.0}).scales[stored] == 1.0


def test_a_fixed_range_holds_for_the_whole_group_and_an_add_does_not_widen_it() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 1))
    both = graph.concat_rows(graph.tag(x, "t"), y)
    total = graph.tag(graph.add(y, y), "sum")
    plan = plan_of(graph, {"x": 1.0, "y": 2.0}, {"t": 3.0, "sum": 2.5})
    assert [range_of(plan, node) for node in (x, y, both, total)] == pytest.approx([3.0, 3.0, 3.0, 2.5])
    assert plan.notes == (
        "node 1 (input 'y'): its range 3 exceeds the range 2.5 of the sum at node 3, so it saturates before "
        "the sum",
    )


def test_a_tag_may_mark_several_tensors_and_one_tensor_may_carry_several_tags() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 1))
    for node in (x, y):
        assert graph.tag(graph.tag(node, "both"), "again") == node
    plan = plan_of(graph, {"x": 1.0, "y": 2.0}, {"both": 4.0, "again": 4.0})
    assert range_of(plan, x) == range_of(plan, y) == pytest.approx(4.0)


def test_two_values_for_one_group_are_refused_naming_both() -> None:
    graph = Graph()
    x, y = graph.input("x", (1, 1)), graph.input("y", (1, 1))
    graph.concat_rows(graph.tag(x, "a"), graph.tag(y, "b"))
    message = (
        r"node 1 \(input 'y'\): its range is 3 \(tag 'b'\), .* range 2 \(tag 'a' of node 0 \(input 'x'\)\)"
    )
    with pytest.raises(CompileError, match=message):
        plan_of(graph, {"x": 1.0, "y": 1.0}, {"a": 2.0, "b": 3.0})
    assert range_of(plan_of(graph, {"x": 1.0, "y": 1.0}, {"a": 2.0, "b": 2.0}), x) == pytest.approx(2.0)


def test_a_tag_may_not_contradict_a_pin() -> None:
    graph = Graph()
    scores = graph.tag(graph.input("x", (1, 2)), "s")
    graph.softmax(scores)
    message = (
        r"node 0 \(input 'x'\): its range is 8 \(tag 's'\), .* range 7\.9375 \(input of the softmax at node 1"
    )
    with pytest.raises(CompileError, match=message):
        plan_of(graph, {"x": 1.0}, {"s": 8.0})
    assert plan_of(graph, {"x": 1.0}, {"s": 127 / 16}).scales[scores] == 1 / 16


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_a_range_that_is_no_size_is_refused(value: float) -> None:
    graph = Graph()
    graph.tag(graph.input("x", (1, 1)), "t")
    with pytest.raises(CompileError, match=r"node 0 \(input 'x'\): the range .* of tag 't'"):
        plan_of(graph, {"x": 1.0}, {"t": value})


def test_a_range_too_small_for_a_scale_is_refused() -> None:
    graph = Graph()
    graph.input("x", (1, 1))
    with pytest.raises(CompileError, match=r"node 0 \(input 'x'\): its range 4.94066e-324 is too small"):
        plan_of(graph, {"x": 5e-324})


def test_scores_beyond_q4_4_and_ranges_for_unknown_tags_are_noted() -> None:
    graph = Graph()
    graph.softmax(graph.input("x", (1, 2)))
    assert plan_of(graph, {"x": 127 / 16}).notes == ()
    assert plan_of(graph, {"x": 8.0}, {"nobody": 1.0}).notes == (
        "node 0 (input 'x'): scores reach 8 in calibration and saturate at 7.9375 (Q4.4)",
        "ranges fixes tag 'nobody', which no tensor carries",
    )
