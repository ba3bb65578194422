"""The source map of one program, with the questions that reports ask of it."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.source_map.errors import SourceMapError
from refmodel.source_map.instruction_source import InstructionSource
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.role import Role
from refmodel.source_map.tensor import TensorElement, element_at
from refmodel.source_map.view import View


@dataclass(frozen=True, slots=True)
class SourceMap:
    """What every instruction is for, and which tensor every memory word belongs to at every time."""

    instructions: tuple[InstructionSource | None, ...]
    """By pc; None for HALT."""
    scratchpad: tuple[ScratchpadPlace, ...]
    """In the order in which the tensors come to life."""
    ext: tuple[ExternalPlace, ...]
    views: tuple[View, ...] = ()
    """Nodes without instructions of their own, in the order of the graph."""
    role: Role | None = None
    """Which step of a decoding the program is; None for any other program."""

    def __post_init__(self) -> None:
        """Refuse a tensor that lives longer than the program."""
        for place in self.scratchpad:
            if place.last >= len(self.instructions):
                raise SourceMapError(
                    f"tensor {place.tensor} lives to pc {place.last}, "
                    f"the program ends at {len(self.instructions) - 1}"
                )

    def instruction(self, pc: int) -> InstructionSource | None:
        """Return what the instruction at `pc` is for; None for HALT and beyond the program."""
        return self.instructions[pc] if 0 <= pc < len(self.instructions) else None

    def tensor_at(self, address: int, pc: int) -> TensorElement | None:
        """Return the element that a scratchpad word holds when the instruction at `pc` has completed.

        None where no instruction up to then has written the word. Use it for what `pc` writes, and with the
        last pc for the state at the end of a program. A tensor counts as being there from the first of the
        instructions that write it on.
        """
        return self._element(address, pc, pc)

    def tensor_before(self, address: int, pc: int) -> TensorElement | None:
        """Return the element that a scratchpad word holds when the instruction at `pc` begins: what it reads.

        The two differ where an instruction overwrites its operand: before the RQ of a product a word holds an
        accumulator, after it a quantized element.
        """
        return self._element(address, pc - 1, pc)

    def tensor_at_ext(self, address: int) -> TensorElement | None:
        """Return the element of an input, a weight or an output that an external word belongs to."""
        for place in self.ext:
            if place.holds(address):
                return element_at(place.tensor, address - place.address)
        return None

    def _element(self, address: int, born_by: int, alive_at: int) -> TensorElement | None:
        """Return the element of the youngest tensor at `address` of those whose first pc is ≤ `born_by`."""
        held = [place for place in self.scratchpad if place.first <= born_by and place.holds(address)]
        if not held:
            return None
        place = max(held, key=lambda each: each.first)
        return element_at(place.tensor, address - place.address, alive_at <= place.last)
