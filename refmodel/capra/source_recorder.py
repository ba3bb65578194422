"""What lowering notes about every instruction: the node it serves and the block of a tensor it works on."""

from __future__ import annotations

from collections.abc import Mapping

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import ArgMaxNode, GivenName, MatMulNode, SoftmaxNode
from refmodel.capra.plan import QuantizationPlan
from refmodel.capra.tensor_names import tensor_names
from refmodel.source_map.instruction_source import InstructionSource, Service, whole
from refmodel.source_map.tensor import Tensor, TensorKind

FRACTION_SCALE = 1 / 65536
"""Real value of one level of the Q0.16 numbers that the softmax unit writes."""


class SourceRecorder:
    """The tensors of one graph, and the sources of instructions that work on them.

    A tensor before its requantization (accumulators of a product, Q0.16 values of a softmax) and an operand
    rescaled for an add are tensors of their own, since their integers mean something else.
    """

    def __init__(self, graph: Graph, plan: QuantizationPlan, fused_relus: Mapping[int, int]) -> None:
        """`fused_relus` maps matmuls to the relu that their requantization includes."""
        self._graph = graph
        self._plan = plan
        self._fused_relus = fused_relus
        self._names = tensor_names(graph)

    def load(self, node: int) -> InstructionSource:
        """Return the source of the LD of an input or a weight."""
        return whole("load", self._name(node), self.tensor(node))

    def store(self, node: int) -> InstructionSource:
        """Return the source of the ST of an output."""
        return whole("store", self._name(node), self.tensor(node))

    def tile(self, node: int, rows: range, columns: range) -> InstructionSource:
        """Return the source of the MM of one tile of a product."""
        return InstructionSource("matmul", self._name(node), self._unquantized(node), rows, columns)

    def softmax_row(self, node: int, row: int) -> InstructionSource:
        """Return the source of the SM of one row."""
        tensor = self._unquantized(node)
        return InstructionSource(
            "softmax", self._name(node), tensor, range(row, row + 1), range(tensor.shape[1])
        )

    def argmax_row(self, node: int, row: int) -> InstructionSource:
        """Return the source of the AMAX of one row."""
        return InstructionSource("argmax", self._name(node), self.tensor(node), range(row, row + 1), range(1))

    def requantization(self, node: int) -> InstructionSource:
        """Return the source of the RQ that ends a product or a softmax, a fused relu included."""
        service: Service = "softmax" if isinstance(self._graph.nodes[node], SoftmaxNode) else "matmul"
        return whole(service, self._name(node), self.tensor(self._fused_relus.get(node, node)))

    def rescaling(self, add: int, operand: int) -> InstructionSource:
        """Return the source of the RQ that brings an operand to the scale of an add."""
        view = GivenName(f"{self._graph.nodes[operand].kind}_{operand}")  # views go without a name
        given = self._names.get(operand, view)
        name = f"{given.name}_for_{self._names[add].name}"
        shape, scale = self._graph.nodes[add].shape, self._plan.scales[add]
        return whole("add", self._name(add), Tensor(name, shape, scale, first_row=given.first_row))

    def addition(self, node: int) -> InstructionSource:
        """Return the source of the VADD of a sum."""
        return whole("add", self._name(node), self.tensor(node))

    def tensor(self, node: int) -> Tensor:
        """Return the tensor that the interpreter computes for a node; the node must not be a view."""
        return self._tensor(node, self._plan.scales[node], "index" if self._holds_indices(node) else "int8")

    def _unquantized(self, node: int) -> Tensor:
        """Return what a product or a softmax holds before its requantization."""
        match self._graph.nodes[node]:
            case MatMulNode(operands=(a, b), factor=factor):
                scale = factor * self._plan.scales[a] * self._plan.scales[b]
                return self._tensor(node, scale, "accumulator")
            case _:
                return self._tensor(node, FRACTION_SCALE, "fraction")

    def _tensor(self, node: int, scale: float, kind: TensorKind) -> Tensor:
        given = self._names[node]
        return Tensor(given.name, self._graph.nodes[node].shape, scale, kind, given.first_row)

    def _holds_indices(self, node: int) -> bool:
        operation = self._graph.nodes[node]
        sources = (operation, *(self._graph.nodes[operand] for operand in operation.operands))
        return any(isinstance(source, ArgMaxNode) for source in sources)

    def _name(self, node: int) -> str:
        return str(self.tensor(node))
