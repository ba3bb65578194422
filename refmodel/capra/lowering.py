"""Lowering: the instructions of every node, in node order.

An input or a weight is loaded just before the first node that reads it. A matmul is one MM a 4×4 output tile,
row tiles outer, each over the whole inner dimension, then one RQ in place with a relu fused into it. A
softmax is one SM a row, then one RQ in place. An add is an RQ for each operand of another scale, then one
VADD. An argmax is one AMAX a row, an output one ST. Concatenations, slices and relus are views and need no
instruction.
"""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.capra.allocator import Allocator
from refmodel.capra.external import ExternalLayout
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    InputNode,
    MatMulNode,
    OutputNode,
    ReluNode,
    SoftmaxNode,
    WeightNode,
)
from refmodel.capra.plan import QuantizationPlan
from refmodel.capra.storage import last_uses, place_tensors
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
from refmodel.isa.limits import MAX_LENGTH, MAX_TILE, SCRATCHPAD_WORDS

NO_NODE = -1
"""What stands for a node beside the final HALT."""

_LOADED = (InputNode, WeightNode)
"""Nodes whose tensor is loaded by its first reader."""

_WithLength = Load | Store | Requantize | Softmax | VectorAdd | ArgMax

LONGEST_PROGRAM = 4096
"""Instructions; a graph that needs more is refused, though program memory would hold them."""


@dataclass(frozen=True)
class LoweredCode:
    """Instructions and where they come from."""

    instructions: tuple[Instruction, ...]
    nodes: tuple[int, ...]
    """Node id of every instruction; `NO_NODE` for HALT. A load belongs to the input or weight it loads."""
    ends: tuple[int, ...]
    """For every node, the index of the first instruction after those of all nodes up to it."""
    addresses: dict[int, int]
    """Scratchpad address of every tensor that is ever there, by node id."""
    scratchpad_words: int
    """Words from address 0 up to the highest one used."""


def lower(graph: Graph, plan: QuantizationPlan, external: ExternalLayout, reuse: bool) -> LoweredCode:
    """Return the program of a graph that has passed `check_graph`.

    With `reuse` a buffer is released after the last node that reads any view of it; without, no region of the
    scratchpad is used twice. Raises CompileError when the scratchpad or the instruction memory is full or a
    tensor is longer than one instruction can move.
    """
    return _Lowering(graph, plan, external, reuse).run()


class _Lowering:
    """The state of one lowering: what is emitted, what is loaded, which buffers have an address."""

    def __init__(self, graph: Graph, plan: QuantizationPlan, external: ExternalLayout, reuse: bool) -> None:
        self._graph = graph
        self._operations = graph.nodes
        self._plan = plan
        self._external = external
        self._allocator = Allocator(SCRATCHPAD_WORDS, reuse)
        self._regions = place_tensors(graph)
        self._fused_relus = _relus_after_matmuls(graph)
        self._buffers: dict[int, int] = {}
        self._addresses: dict[int, int] = {}
        self._instructions: list[Instruction] = []
        self._nodes: list[int] = []

    def run(self) -> LoweredCode:
        """Lower every node in order and release buffers after their last use."""
        released_after: dict[int, list[int]] = {}
        for buffer, node in last_uses(self._graph, self._regions).items():
            released_after.setdefault(node, []).append(buffer)
        ends = []
        for node in range(len(self._operations)):
            self._lower_node(node)
            ends.append(len(self._instructions))
            for buffer in released_after.get(node, ()):
                self._allocator.release(self._buffers[buffer])
        self._emit(NO_NODE, Halt())
        return LoweredCode(
            tuple(self._instructions),
            tuple(self._nodes),
            tuple(ends),
            self._addresses,
            self._allocator.high_water,
        )

    def _lower_node(self, node: int) -> None:
        operation = self._operations[node]
        if isinstance(operation, _LOADED):
            return  # loaded by its first reader
        for operand in operation.operands:
            self._load(operand)
        address = self._place(node)
        sources = [self._addresses[operand] for operand in operation.operands]
        match operation:
            case MatMulNode():
                self._lower_matmul(node, operation, address, sources)
            case SoftmaxNode():
                rows, columns = operation.shape
                for row in range(rows):
                    start = row * columns
                    self._emit_words(node, Softmax(address + start, sources[0] + start, columns))
                self._requantize(node, address, operation.words)
            case AddNode():
                self._lower_add(node, operation, address, sources)
            case ArgMaxNode():
                columns = self._operations[operation.operands[0]].shape[1]
                for row in range(operation.shape[0]):
                    self._emit_words(node, ArgMax(address + row, sources[0] + row * columns, columns))
            case OutputNode():
                self._emit_words(node, Store(sources[0], self._external.addresses[node], operation.words))
            case _:
                pass  # a view

    def _lower_matmul(self, node: int, operation: MatMulNode, address: int, sources: list[int]) -> None:
        a, b = sources
        rows, columns = operation.shape
        inner = self._operations[operation.operands[0]].shape[1]
        b_stride = self._operations[operation.operands[1]].shape[1]
        step_b = b_stride if operation.transpose_b else 1
        tiles = [(column, min(MAX_TILE, columns - column)) for column in range(0, columns, MAX_TILE)]
        for row in range(0, rows, MAX_TILE):
            height = min(MAX_TILE, rows - row)
            for column, width in tiles:
                tile = MatMul(
                    address + row * columns + column,
                    a + row * inner,
                    b + column * step_b,
                    height,
                    inner,
                    width,
                    operation.transpose_b,
                    lda=inner,
                    ldb=b_stride,
                    ldc=columns,
                )
                self._emit(node, tile)
        self._requantize(node, address, operation.words, relu=node in self._fused_relus)

    def _lower_add(self, node: int, operation: AddNode, address: int, sources: list[int]) -> None:
        rescaled: dict[int, int] = {}
        for operand, source in zip(operation.operands, sources, strict=True):
            parameters = self._plan.rescales.get((node, operand))
            if parameters is None or operand in rescaled:
                continue
            copy = self._allocate(node, operation.words)
            rescale = Requantize(copy, source, operation.words, parameters.multiplier, parameters.shift)
            self._emit_words(node, rescale)
            rescaled[operand] = copy
        left, right = (
            rescaled.get(operand, source) for operand, source in zip(operation.operands, sources, strict=True)
        )
        self._emit_words(node, VectorAdd(address, left, right, operation.words))
        for copy in rescaled.values():
            self._allocator.release(copy)

    def _requantize(self, node: int, address: int, words: int, relu: bool = False) -> None:
        parameters = self._plan.requantizers[node]
        self._emit_words(
            node, Requantize(address, address, words, parameters.multiplier, parameters.shift, relu)
        )

    def _load(self, node: int) -> None:
        """Load an input or a weight unless it already is in the scratchpad."""
        operation = self._operations[node]
        if isinstance(operation, _LOADED) and node not in self._addresses:
            self._emit_words(node, Load(self._place(node), self._external.addresses[node], operation.words))

    def _place(self, node: int) -> int:
        """Return the address of a node's tensor, allocating its buffer when nothing of it is there yet."""
        region = self._regions[node]
        if region.buffer not in self._buffers:
            self._buffers[region.buffer] = self._allocate(node, self._operations[region.buffer].words)
        address = self._buffers[region.buffer] + region.offset
        self._addresses[node] = address
        return address

    def _allocate(self, node: int, words: int) -> int:
        address = self._allocator.allocate(words)
        if address is None:
            raise self._graph.refusal(
                node,
                f"the scratchpad is full, {words} words are needed and the longest "
                f"free region has {self._allocator.largest_free}",
            )
        return address

    def _emit_words(self, node: int, instruction: _WithLength) -> None:
        """Emit an instruction that has a length."""
        if instruction.length > MAX_LENGTH:
            raise self._graph.refusal(
                node, f"its {instruction.length} words exceed the {MAX_LENGTH} that one instruction moves"
            )
        self._emit(node, instruction)

    def _emit(self, node: int, instruction: Instruction) -> None:
        if len(self._instructions) == LONGEST_PROGRAM:
            raise self._graph.refusal(node, f"the program exceeds {LONGEST_PROGRAM} instructions")
        self._instructions.append(instruction)
        self._nodes.append(node)


def _relus_after_matmuls(graph: Graph) -> dict[int, int]:
    """Return, for every matmul whose requantization also applies a relu, that relu."""
    return {
        operand: node
        for node, operation in enumerate(graph.nodes)
        if isinstance(operation, ReluNode)
        for operand in operation.operands
    }
