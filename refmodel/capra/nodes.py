"""The operations of a graph as typed nodes, each of which owns one two-dimensional tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from refmodel.numerics.quantization import FloatArray

Shape = tuple[int, int]
"""Rows and columns of a tensor."""


@dataclass(frozen=True)
class GivenName:
    """The name under which people know a tensor, or some rows of it."""

    name: str
    first_row: int | None = None
    """Which row of what `name` means the tensor's first row is; None: the tensor is all of it."""


@dataclass(frozen=True, eq=False)
class Node:
    """One operation and the tensor it yields."""

    kind: ClassVar[str]
    """The operation's name as messages spell it."""

    shape: Shape
    operands: tuple[int, ...]
    """Ids of the nodes whose tensors it reads, in order."""

    @property
    def label(self) -> str:
        """The kind, with the name that the user gave the node where there is one."""
        return self.kind

    @property
    def words(self) -> int:
        """Number of elements, each of which occupies one word."""
        return self.shape[0] * self.shape[1]


@dataclass(frozen=True, eq=False)
class NamedNode(Node):
    """A node that the user named."""

    name: str

    @property
    def label(self) -> str:
        """The kind and the name."""
        return f"{self.kind} '{self.name}'"


@dataclass(frozen=True, eq=False)
class InputNode(NamedNode):
    """A tensor given anew for every run."""

    kind = "input"


@dataclass(frozen=True, eq=False)
class WeightNode(NamedNode):
    """A tensor fixed at compile time."""

    kind = "weight"
    values: FloatArray


@dataclass(frozen=True, eq=False)
class MatMulNode(Node):
    """factor · A · B, with B read transposed when `transpose_b`."""

    kind = "matmul"
    transpose_b: bool
    factor: float


@dataclass(frozen=True, eq=False)
class SoftmaxNode(Node):
    """The softmax of each row."""

    kind = "softmax"


@dataclass(frozen=True, eq=False)
class AddNode(Node):
    """The elementwise sum."""

    kind = "add"


@dataclass(frozen=True, eq=False)
class ReluNode(Node):
    """The elementwise maximum with 0, fused into the requantization of the matmul before it."""

    kind = "relu"


@dataclass(frozen=True, eq=False)
class ConcatNode(Node):
    """The rows of A above the rows of B: a view, since both are written straight into its buffer."""

    kind = "concat"


@dataclass(frozen=True, eq=False)
class SliceNode(Node):
    """Rows `start` to `start` + rows − 1 of its source: a view into the source's buffer."""

    kind = "slice"
    start: int


@dataclass(frozen=True, eq=False)
class ArgMaxNode(Node):
    """The column of the first maximum of each row, as a plain integer without a scale."""

    kind = "argmax"


@dataclass(frozen=True, eq=False)
class OutputNode(NamedNode):
    """A tensor stored to external memory under a name."""

    kind = "output"
