"""Which tensors can be read back, where they are, and until when."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.program import Program
from refmodel.capra.readback import held_tensors, last_readers_of, read_all, read_snapshots, read_tensor
from refmodel.capra.tests.language_graphs import language_samples, verifier_graph
from refmodel.machine.machine import Machine


def example(reuse: bool) -> Program:
    """Nodes: 0 unread, 1 x, 2 w, 3 fused matmul, 4 relu, 5 concat, 6 slice, 7 add, 8 argmax, 9 output."""
    graph = Graph()
    graph.input("unread", (1, 1))
    x = graph.input("x", (1, 2))
    relu = graph.relu(graph.matmul(x, graph.weight("w", [[1.0, -1.0], [0.0, 0.0]])))
    both = graph.concat_rows(relu, x)
    head = graph.slice_rows(both, 0, 1)
    graph.output(graph.argmax(graph.add(head, head)), "tok")
    return compile_graph(graph, [{"unread": [[1.0]], "x": [[1.0, 0.5]]}], reuse=reuse)


INPUTS = {"unread": [[1.0]], "x": [[1.0, 0.5]]}


@pytest.mark.parametrize("reuse", [False, True])
def test_unread_inputs_and_fused_matmuls_are_never_held(reuse: bool) -> None:
    program = example(reuse)
    assert held_tensors(program) == [1, 2, 4, 5, 6, 7, 8, 9]
    with pytest.raises(KeyError):
        read_tensor(program, np.zeros(4096, dtype=np.uint32), 0)


def test_the_last_reader_is_found_through_views() -> None:
    """The relu is read by the add through the concatenation and the slice; the unread input by nothing."""
    graph = example(True).graph
    assert last_readers_of(graph) == [0, 7, 3, 4, 7, 7, 7, 8, 9, 9]


def test_tensors_are_read_from_the_end_without_reuse_and_from_snapshots_with_it() -> None:
    """x = [127, 64] at scale 1/127; relu(x·w) = [127, 0]; the sum has twice their scale."""
    expected = {1: [[127, 64]], 2: [[127, -127], [0, 0]], 4: [[127, 0]], 5: [[127, 0], [127, 64]]}
    expected |= {6: [[127, 0]], 7: [[127, 0]], 8: [[0]], 9: [[0]]}
    program, unshared = example(True), example(False)
    after = Machine(strict=True).run(unshared.bundle(INPUTS)).scratchpad
    for tensors in (read_snapshots(program, program.bundle(INPUTS)), read_all(unshared, after)):
        assert {node: tensor.tolist() for node, tensor in tensors.items()} == expected


def test_the_end_of_a_program_with_reuse_is_not_read() -> None:
    with pytest.raises(ValueError, match="compile it with reuse=False"):
        read_all(example(True), np.zeros(4096, dtype=np.uint32))


def test_every_tensor_of_the_verifier_without_reuse_equals_its_snapshot() -> None:
    graph, samples = verifier_graph(4, 4), language_samples(4, 4)
    program = compile_graph(graph, samples)
    unshared = compile_graph(graph, samples, reuse=False)
    after = read_all(unshared, Machine(strict=True).run(unshared.bundle(samples[0])).scratchpad)
    snapshots = read_snapshots(program, program.bundle(samples[0]))
    assert after.keys() == snapshots.keys()
    assert len(after) == len(graph.nodes) - 1  # all but the matmul before the relu
    assert all(np.array_equal(after[node], snapshots[node]) for node in after)
