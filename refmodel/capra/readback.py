"""Read every tensor of a program back from the scratchpad, after the run or while it is under way.

Without reuse every tensor is still there when the program ends. With reuse it is there until its last reader
has run, so the program is run again up to that point. When a tensor is last read is derived here from the
graph alone, not from the lifetimes that the compiler planned.
"""

from __future__ import annotations

from dataclasses import replace

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import ConcatNode, ReluNode, SliceNode
from refmodel.capra.program import Program, words_to_integers
from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.machine.result import WordArray
from refmodel.numerics.integer import IntArray


def held_tensors(program: Program) -> list[int]:
    """Return the ids of the nodes whose tensor is in the scratchpad at some time, ascending.

    The others are inputs and weights that nothing reads, and matmuls whose requantization includes a relu:
    only the relu's tensor ever exists.
    """
    fused = {
        operand for node in program.graph.nodes if isinstance(node, ReluNode) for operand in node.operands
    }
    return sorted(program.addresses.keys() - fused)


def read_tensor(program: Program, scratchpad: WordArray, node: int) -> IntArray:
    """Return a node's integers, [rows, columns], from a scratchpad that holds them.

    Raises KeyError for a node that `held_tensors` does not list.
    """
    operation = program.graph.nodes[node]
    address = program.addresses[node]
    return words_to_integers(scratchpad[address : address + operation.words]).reshape(operation.shape)


def read_all(program: Program, scratchpad: WordArray) -> dict[int, IntArray]:
    """Return every held tensor from the scratchpad after a run.

    Raises ValueError when the program was not compiled with reuse=False.
    """
    if program.reuse:
        raise ValueError("the program reuses its scratchpad: compile it with reuse=False or read snapshots")
    return {node: read_tensor(program, scratchpad, node) for node in held_tensors(program)}


def read_snapshots(program: Program, bundle: Bundle) -> dict[int, IntArray]:
    """Return every held tensor from a snapshot of the strict machine just after the tensor's last reader.

    A snapshot is the scratchpad after the program cut off there: the words beyond a program are HALT.
    """
    last_readers = last_readers_of(program.graph)
    scratchpads: dict[int, WordArray] = {}
    tensors = {}
    for node in held_tensors(program):
        end = program.ends[last_readers[node]]
        if end not in scratchpads:
            cut = replace(bundle, code=program.code[:end])
            scratchpads[end] = Machine(strict=True).run(cut).scratchpad
        tensors[node] = read_tensor(program, scratchpads[end], node)
    return tensors


def last_readers_of(graph: Graph) -> list[int]:
    """Return, for every node, the last node that reads its tensor or a view of it; itself if none does."""
    last = list(range(len(graph.nodes)))
    for node in reversed(range(len(graph.nodes))):
        operation = graph.nodes[node]
        reader = last[node] if isinstance(operation, ConcatNode | SliceNode) else node
        for operand in operation.operands:
            last[operand] = max(last[operand], reader)
    return last
