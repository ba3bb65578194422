"""When each tensor lives in the scratchpad, told from the instructions that read and write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from refmodel.isa.instructions import Instruction
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import footprint
from refmodel.source_map.instruction_source import InstructionSource
from refmodel.source_map.places import ScratchpadPlace
from refmodel.source_map.tensor import Tensor


@dataclass
class _Life:
    """A tensor in the scratchpad as far as it is known while the program is walked through."""

    tensor: Tensor
    address: int
    first: int
    last: int


def scratchpad_places(
    instructions: Sequence[Instruction], sources: Sequence[InstructionSource | None]
) -> tuple[ScratchpadPlace, ...]:
    """Return the place and life of every tensor that the instructions write, in the order of their births.

    A tensor is born with the instruction that writes its first element, and the instructions that write the
    rest of it follow before any other tensor is born.
    """
    lives: list[_Life] = []
    holders = np.full(SCRATCHPAD_WORDS, -1)  # index of the life that each word belongs to
    for pc, (instruction, source) in enumerate(zip(instructions, sources, strict=True)):
        touched = footprint(instruction)
        for region in touched.reads.values():
            for holder in set(holders[region.addresses()].ravel().tolist()):
                assert holder >= 0, f"instruction {pc} reads what none has written"
                lives[holder].last = pc
        if touched.writes is None or source is None:
            continue
        if source.offset == 0:
            lives.append(_Life(source.tensor, touched.writes.start, pc, pc))
        lives[-1].last = pc
        holders[touched.writes.addresses()] = len(lives) - 1
    return tuple(ScratchpadPlace(life.tensor, life.address, life.first, life.last) for life in lives)
