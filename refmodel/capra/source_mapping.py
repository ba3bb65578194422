"""The source map of a program: what each instruction is for, and where each tensor is when.

It is told from the finished program, so lowering knows nothing of it and a program that nobody asks about
pays nothing: an instruction's node is known, its operation says what it does for the node, and its address
says on which rows and columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    ConcatNode,
    GivenName,
    MatMulNode,
    Node,
    OutputNode,
    ReluNode,
    SliceNode,
    SoftmaxNode,
)
from refmodel.capra.plan import QuantizationPlan
from refmodel.capra.residence import scratchpad_places
from refmodel.capra.tensor_names import tensor_names
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from refmodel.source_map.instruction_source import InstructionSource, Service, whole
from refmodel.source_map.places import ExternalPlace
from refmodel.source_map.role import Role
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor, TensorKind
from refmodel.source_map.view import View, ViewKind

FRACTION_SCALE = 1 / 65536
"""Real value of one level of the Q0.16 numbers that the softmax unit writes."""

VIEWS: dict[type[Node], ViewKind] = {
    ConcatNode: "concat",
    SliceNode: "slice",
    ReluNode: "relu",
    OutputNode: "output",
}
"""Nodes that have no words of their own."""


def map_sources(
    graph: Graph,
    plan: QuantizationPlan,
    code: Sequence[int],
    nodes: Sequence[int],
    addresses: Mapping[int, int],
    external: Mapping[int, int],
    role: Role | None,
) -> SourceMap:
    """Return the source map of a compiled program that plays this role.

    `nodes` holds the node id of every instruction, negative for HALT; `addresses` and `external` are the
    first scratchpad and external addresses of tensors, by node id.
    """
    mapping = _SourceMapping(graph, plan, addresses)
    instructions = [decode(word) for word in code]
    sources: list[InstructionSource | None] = []
    begin = 0  # pc of the first instruction of the node at hand
    for pc, (instruction, node) in enumerate(zip(instructions, nodes, strict=True)):
        if node != nodes[begin]:
            begin = pc
        sources.append(None if node < 0 else mapping.source(instruction, node, pc - begin))
    return SourceMap(
        tuple(sources),
        scratchpad_places(instructions, sources),
        tuple(ExternalPlace(mapping.tensor(node), address) for node, address in external.items()),
        _views(graph),
        role,
    )


def _views(graph: Graph) -> tuple[View, ...]:
    """Return the nodes without words of their own."""
    return tuple(
        View(VIEWS[type(node)], tuple(graph.nodes[operand].kind for operand in node.operands))
        for node in graph.nodes
        if type(node) in VIEWS
    )


class _SourceMapping:
    """The tensors of one graph, and the sources of instructions that work on them.

    A tensor before its requantization (accumulators of a product, Q0.16 values of a softmax) and an operand
    rescaled for an add are tensors of their own, since their integers mean something else.
    """

    def __init__(self, graph: Graph, plan: QuantizationPlan, addresses: Mapping[int, int]) -> None:
        self._nodes = graph.nodes
        self._plan = plan
        self._addresses = addresses
        self._names = tensor_names(graph)
        self._fused_relus = {
            each.operands[0]: node for node, each in enumerate(self._nodes) if isinstance(each, ReluNode)
        }

    def source(self, instruction: Instruction, node: int, number: int) -> InstructionSource:
        """Return the source of an instruction, the one with this number of those that serve the node."""
        match instruction:
            case Load():
                return self._whole("load", node, self.tensor(node))
            case Store():
                return self._whole("store", node, self.tensor(node))
            case MatMul(dst=dst, m=m, n=n):
                return self._block("matmul", node, self._unquantized(node), dst, (m, n))
            case Softmax(dst=dst, length=length):
                return self._block("softmax", node, self._unquantized(node), dst, (1, length))
            case ArgMax(dst=dst):
                return self._block("argmax", node, self.tensor(node), dst, (1, 1))
            case Requantize() if isinstance(self._nodes[node], AddNode):
                return self._whole("add", node, self._rescaled(node, number))
            case Requantize():
                service: Service = "softmax" if isinstance(self._nodes[node], SoftmaxNode) else "matmul"
                return self._whole(service, node, self.tensor(self._fused_relus.get(node, node)))
            case VectorAdd():
                return self._whole("add", node, self.tensor(node))
            case _:
                raise TypeError(f"no node is lowered to {instruction}")

    def tensor(self, node: int) -> Tensor:
        """Return the tensor that the interpreter computes for a node; the node must not be a view."""
        return self._tensor(node, self._plan.scales[node], "index" if self._holds_indices(node) else "int8")

    def _whole(self, service: Service, node: int, tensor: Tensor) -> InstructionSource:
        return whole(service, str(self.tensor(node)), tensor)

    def _block(
        self, service: Service, node: int, tensor: Tensor, dst: int, shape: tuple[int, int]
    ) -> InstructionSource:
        """Return the source of an instruction that writes a block of this shape from `dst` on."""
        row, column = divmod(dst - self._addresses[node], tensor.shape[1])
        rows, columns = range(row, row + shape[0]), range(column, column + shape[1])
        return InstructionSource(service, str(self.tensor(node)), tensor, rows, columns)

    def _unquantized(self, node: int) -> Tensor:
        """Return what a product or a softmax holds before its requantization."""
        match self._nodes[node]:
            case MatMulNode(operands=(a, b), factor=factor):
                scale = factor * self._plan.scales[a] * self._plan.scales[b]
                return self._tensor(node, scale, "accumulator")
            case _:
                return self._tensor(node, FRACTION_SCALE, "fraction")

    def _rescaled(self, add: int, number: int) -> Tensor:
        """Return the operand of an add that the instruction with this number brings to the sum's scale."""
        operands = dict.fromkeys(self._nodes[add].operands)
        operand = [each for each in operands if (add, each) in self._plan.rescales][number]
        view = GivenName(f"{self._nodes[operand].kind}_{operand}")  # views go without a name
        given = self._names.get(operand, view)
        name = f"{given.name}_for_{self._names[add].name}"
        return Tensor(name, self._nodes[add].shape, self._plan.scales[add], first_row=given.first_row)

    def _tensor(self, node: int, scale: float, kind: TensorKind) -> Tensor:
        given = self._names[node]
        return Tensor(given.name, self._nodes[node].shape, scale, kind, given.first_row)

    def _holds_indices(self, node: int) -> bool:
        operation = self._nodes[node]
        sources = (operation, *(self._nodes[operand] for operand in operation.operands))
        return any(isinstance(source, ArgMaxNode) for source in sources)
