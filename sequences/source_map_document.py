"""The key `source_map` of a bundle file: a source map as JSON, tables of rows.

Tensors are listed once, and everything else names them by their place in that list:

    tensors        [name, rows, columns, scale, kind, first row or null]
    instructions   by pc: [service, node, tensor, row, rows, column, columns], or null for HALT
    scratchpad     [tensor, address, first pc, last pc]
    ext            [tensor, address]
    views          [kind, [kinds of its operands]]; may be missing
    role           [step, kind of the target, rows in the cache, rows of the step]; may be missing

A block begins at `row` and `column`, 0 being the tensor's first ones, and is `rows` × `columns` in size.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict

from refmodel.isa.limits import EXT_ADDRESS_WORDS, IMEM_WORDS
from refmodel.source_map.errors import SourceMapError
from refmodel.source_map.instruction_source import InstructionSource, Service
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.role import Role, StepKind
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor, TensorKind
from refmodel.source_map.view import View, ViewKind
from sequences.document import StrictModel

Count = Annotated[int, Field(ge=0, le=EXT_ADDRESS_WORDS)]
Scale = Annotated[float, Field(gt=0, allow_inf_nan=False)]

# JSON has lists only: the rows themselves may be lists, what is in them is as strict as the rest of the file.
TensorRow = Annotated[tuple[str, Count, Count, Scale, TensorKind, Count | None], Strict(False)]
InstructionRow = Annotated[tuple[Service, str, Count, Count, Count, Count, Count], Strict(False)]
ScratchpadRow = Annotated[tuple[Count, Count, Count, Count], Strict(False)]
ExternalRow = Annotated[tuple[Count, Count], Strict(False)]
ViewRow = Annotated[tuple[ViewKind, list[str]], Strict(False)]
RoleRow = Annotated[tuple[StepKind, str, Count, Count], Strict(False)]


class SourceMapDocument(StrictModel):
    """A source map as JSON; no coercion, no unknown keys."""

    tensors: list[TensorRow]
    instructions: Annotated[list[InstructionRow | None], Field(max_length=IMEM_WORDS)]
    scratchpad: list[ScratchpadRow]
    ext: list[ExternalRow]
    views: list[ViewRow] = Field(default_factory=list)
    role: RoleRow | None = None

    def to_source_map(self) -> SourceMap:
        """Return the map; SourceMapError when its parts contradict each other."""
        tensors = [
            Tensor(name, (rows, columns), scale, kind, first_row)
            for name, rows, columns, scale, kind, first_row in self.tensors
        ]

        def tensor(index: int) -> Tensor:
            if index >= len(tensors):
                raise SourceMapError(f"there is no tensor {index}, the map lists {len(tensors)}")
            return tensors[index]

        return SourceMap(
            instructions=tuple(
                row and InstructionSource(row[0], row[1], tensor(row[2]), _span(*row[3:5]), _span(*row[5:7]))
                for row in self.instructions
            ),
            scratchpad=tuple(ScratchpadPlace(tensor(row[0]), *row[1:]) for row in self.scratchpad),
            ext=tuple(ExternalPlace(tensor(row[0]), row[1]) for row in self.ext),
            views=tuple(View(kind, tuple(operands)) for kind, operands in self.views),
            role=None if self.role is None else Role(*self.role),
        )


def source_map_to_json(source_map: SourceMap) -> dict[str, Any]:
    """Return a map as the JSON values that `SourceMapDocument` reads."""
    mentioned = [
        *(each.tensor for each in source_map.instructions if each is not None),
        *(each.tensor for each in source_map.scratchpad),
        *(each.tensor for each in source_map.ext),
    ]
    role = source_map.role
    numbers = {tensor: number for number, tensor in enumerate(dict.fromkeys(mentioned))}
    return {
        "tensors": [[each.name, *each.shape, each.scale, each.kind, each.first_row] for each in numbers],
        "instructions": [
            each
            and [
                each.service,
                each.node,
                numbers[each.tensor],
                each.rows.start,
                len(each.rows),
                each.columns.start,
                len(each.columns),
            ]
            for each in source_map.instructions
        ],
        "scratchpad": [
            [numbers[each.tensor], each.address, each.first, each.last] for each in source_map.scratchpad
        ],
        "ext": [[numbers[each.tensor], each.address] for each in source_map.ext],
        "views": [[each.kind, list(each.operands)] for each in source_map.views],
        "role": role and [role.step, role.target, role.cached, role.rows],
    }


def _span(start: int, length: int) -> range:
    return range(start, start + length)
