"""A tensor as it lies in memory, one element a word, and one element of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from refmodel.source_map.errors import SourceMapError

TensorKind: TypeAlias = Literal["int8", "accumulator", "fraction", "index"]
"""What its integers are: quantized reals, int32 sums of products before their RQ, Q0.16 values of a softmax
before theirs, or the plain column numbers of an argmax."""

TENSOR_KINDS: tuple[TensorKind, ...] = get_args(TensorKind)


@dataclass(frozen=True, slots=True)
class Tensor:
    """A named matrix of integers, rows contiguous."""

    name: str
    """As in the model: `k_new`; for what has no name there, its operation and number: `softmax_12`."""
    shape: tuple[int, int]
    """Rows and columns, at least 1 each."""
    scale: float
    """Real value of one integer level."""
    kind: TensorKind = "int8"
    first_row: int | None = None
    """Which row of all that goes by its name its first row is; None: it is all there is.

    A verifier block computes the attention scores of every row by themselves; row 2 of `scores` is a tensor
    of one row with `first_row` 2.
    """

    def __post_init__(self) -> None:
        """Refuse what no tensor is."""
        if min(self.shape) < 1:
            raise SourceMapError(
                f"tensor {self.name} has the shape {self.shape}, legal are sizes of at least 1"
            )
        if not (math.isfinite(self.scale) and self.scale > 0):
            raise SourceMapError(f"tensor {self.name} has the scale {self.scale}, legal is a positive number")
        if self.kind not in TENSOR_KINDS:
            raise SourceMapError(
                f"tensor {self.name} is of the kind {self.kind!r}, legal are {', '.join(TENSOR_KINDS)}"
            )
        if self.first_row is not None and self.first_row < 0:
            raise SourceMapError(f"tensor {self.name} has first_row {self.first_row}, legal is 0 or more")

    @property
    def words(self) -> int:
        """Number of elements, each of which occupies one word."""
        return self.shape[0] * self.shape[1]

    def row_number(self, row: int) -> int:
        """Return how reports count row `row` of this tensor, 0 being the first."""
        return row + (self.first_row or 0)

    def __str__(self) -> str:
        """Return the name, with its rows where others go by the name too: `scores[row 2]`."""
        return (
            self.name if self.first_row is None else f"{self.name}[{self.spell_rows(range(self.shape[0]))}]"
        )

    def spell_rows(self, rows: range) -> str:
        """Return some of its rows, 0 being the first, as reports spell them: `row 2` or `rows 0..3`."""
        return spell("row", range(self.row_number(rows.start), self.row_number(rows.stop)))


@dataclass(frozen=True, slots=True)
class TensorElement:
    """One element of a tensor, found by the address of its word; prints as `k_new[1][9]`."""

    tensor: Tensor
    row: int
    """As reports count it, `first_row` included."""
    column: int
    live: bool = True
    """Does this instruction or a later one read the tensor? A dead one stays until it is overwritten."""

    def __str__(self) -> str:
        """Return the name and both indices."""
        return f"{self.tensor.name}[{self.row}][{self.column}]"


def element_at(tensor: Tensor, offset: int, live: bool = True) -> TensorElement:
    """Return the element that lies `offset` words behind a tensor's first one."""
    row, column = divmod(offset, tensor.shape[1])
    return TensorElement(tensor, tensor.row_number(row), column, live)


def spell(singular: str, indices: range) -> str:
    """Return neighbouring indices as reports spell them: `row 2`, `columns 4..7`."""
    if len(indices) == 1:
        return f"{singular} {indices.start}"
    return f"{singular}s {indices.start}..{indices.stop - 1}"
