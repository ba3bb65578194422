"""One instruction of a draft, with what it read: the values go with it wherever it goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from refmodel.isa.encoding import decode, encode
from refmodel.isa.instructions import Instruction, MatMul
from refmodel.machine.definedness import Mask
from refmodel.machine.result import WordArray
from refmodel.machine.traced_instruction import TracedInstruction

_OPERAND_AXES = {"m": {"A": 0}, "k": {"A": 1, "B": 0}, "n": {"B": 1}}
"""Along which axis of which operand of an MM each of its sizes runs; a vector's length runs along all."""


@dataclass(frozen=True, eq=False)
class OperandValues:
    """The words of one operand, by element rather than by address."""

    words: WordArray
    """uint32, in the shape of the operand's region."""
    defined: Mask
    """In the same shape: false for a word that nothing has defined."""

    def take(self, kept: Sequence[int], axis: int) -> OperandValues:
        """Return some elements along an axis."""
        return OperandValues(np.take(self.words, kept, axis), np.take(self.defined, kept, axis))


@dataclass(frozen=True, eq=False)
class Step:
    """An instruction that completes."""

    word: int
    """128 bits, reserved ones included."""
    reads: Mapping[str, OperandValues]
    """What it read, by the operand's name in the assembly."""
    origin: int
    """Where it stood in the program that the draft was made of."""

    @classmethod
    def of(cls, word: int, traced: TracedInstruction) -> Step:
        """Return the step of an instruction as it was traced."""
        reads = {each.name: OperandValues(each.words, each.defined) for each in traced.reads}
        return cls(word, reads, traced.retire.pc)

    @property
    def instruction(self) -> Instruction:
        """What the word means."""
        return decode(self.word)

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of its sizes."""
        return ("k", "m", "n") if isinstance(self.instruction, MatMul) else ("length",)

    def with_fields(self, **changes: int) -> Step:
        """Return the step with other operands of the same sizes."""
        return replace(self, word=changed_word(self.word, **changes))

    def with_elements(self, axis: str, kept: Sequence[int]) -> Step:
        """Return the step cut down to some of the elements along an axis, which come to lie side by side."""
        axes = _OPERAND_AXES.get(axis)
        reads = {
            name: values if axes and name not in axes else values.take(kept, axes[name] if axes else 0)
            for name, values in self.reads.items()
        }
        return replace(self.with_fields(**{axis: len(kept)}), reads=reads)


def changed_word(word: int, **changes: int) -> int:
    """Return an instruction word with other operands; reserved bits stay."""
    instruction: Any = decode(word)
    reserved = word ^ encode(instruction)
    changed = {
        name: bool(value) if isinstance(getattr(instruction, name), bool) else value
        for name, value in changes.items()
    }
    return encode(replace(instruction, **changed)) | reserved
