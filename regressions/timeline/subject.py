"""For what a cycle is spent: a tensor of the compiled graph, or an operation where there is no map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from refmodel.isa.instructions import Instruction, Opcode
from refmodel.printable import printable
from refmodel.source_map.source_map import SourceMap


class SubjectKind(Enum):
    """What a subject is."""

    TENSOR = "tensor"
    """A node of the graph, by the name of its tensor."""
    OPERATION = "operation"
    """All instructions of one operation that no source map explains."""
    END = "end"
    """The word that ends the program."""
    REST = "rest"
    """Several subjects that a report sums up."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What cycles are spent for; two subjects of different kinds may have one name."""

    kind: SubjectKind
    name: str


HALT = Subject(SubjectKind.END, "HALT")
FAULT = Subject(SubjectKind.END, "faulting word")


def subjects_of(instructions: Sequence[Instruction], source_map: SourceMap | None) -> tuple[Subject, ...]:
    """Return by pc what each instruction that completes serves.

    A node is one subject whatever its instructions do: loads, tiles, requantizations, rescaled operands of an
    add. Nodes that are rows of one tensor, as the scores of a verifier block are, count together.
    """
    tensors = _tensor_names(source_map) if source_map is not None else {}
    return tuple(
        _subject(pc, instruction, source_map, tensors) for pc, instruction in enumerate(instructions)
    )


def _subject(
    pc: int, instruction: Instruction, source_map: SourceMap | None, tensors: dict[str, str]
) -> Subject:
    source = source_map.instruction(pc) if source_map is not None else None
    if source is None:
        return Subject(SubjectKind.OPERATION, Opcode(instruction.opcode).name)
    return Subject(SubjectKind.TENSOR, printable(tensors.get(source.node, source.node)))


def _tensor_names(source_map: SourceMap) -> dict[str, str]:
    """Return the name of each node's own tensor, without the rows that the node is of it."""
    sources = (source for source in source_map.instructions if source is not None)
    return {source.node: source.tensor.name for source in sources if str(source.tensor) == source.node}
