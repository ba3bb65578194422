"""What one instruction works on: a node of the graph, and a block of a tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from refmodel.source_map.errors import SourceMapError
from refmodel.source_map.tensor import Tensor, spell

Service: TypeAlias = Literal["load", "store", "matmul", "softmax", "add", "argmax"]
"""What an instruction does for its node; a load or store moves the node's tensor, the others compute it."""

SERVICES: tuple[Service, ...] = get_args(Service)


@dataclass(frozen=True, slots=True)
class InstructionSource:
    """The origin of one instruction; prints as `scores[row 2], columns 4..7`."""

    service: Service
    node: str
    """Name of the graph's node."""
    tensor: Tensor
    """What is written or stored: the node's tensor, its accumulators, or an add's rescaled operand."""
    rows: range
    """Rows of the tensor in the block, 0 being its first one."""
    columns: range

    def __post_init__(self) -> None:
        """Refuse an unknown service and a block that reaches out of the tensor."""
        if self.service not in SERVICES:
            raise SourceMapError(f"{self.service!r} is no service, legal are {', '.join(SERVICES)}")
        for axis, indices, size in zip(
            ("rows", "columns"), (self.rows, self.columns), self.tensor.shape, strict=True
        ):
            if indices.step != 1 or not 0 <= indices.start < indices.stop <= size:
                raise SourceMapError(
                    f"{axis} {indices.start}..{indices.stop - 1} of {self.tensor}, legal are 0..{size - 1}"
                )

    @property
    def offset(self) -> int:
        """Words from the first element of the tensor to that of the block."""
        return self.rows.start * self.tensor.shape[1] + self.columns.start

    def __str__(self) -> str:
        """Return the block as reports spell it, rows and columns only where they are not all there are."""
        rows, columns = self.tensor.shape
        text = str(self.tensor)
        if len(self.rows) < rows:
            text = f"{self.tensor.name}[{self.tensor.spell_rows(self.rows)}]"
        if len(self.columns) < columns:
            text += f", {spell('column', self.columns)}"
        return f"{self.service} of {text}" if self.service in ("load", "store") else text


def whole(service: Service, node: str, tensor: Tensor) -> InstructionSource:
    """Return the source of an instruction that works on a whole tensor."""
    rows, columns = tensor.shape
    return InstructionSource(service, node, tensor, range(rows), range(columns))
