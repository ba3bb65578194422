"""What one program did on the RTL, as far as it does not depend on data: its words and its retire log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.encoding import WORD_BITS, decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Instruction
from refmodel.isa.regions import Footprint, footprint
from verif.coverage.value_places import Places, places_at_end

WORD_BYTES = WORD_BITS // 8


class End(Enum):
    """How a program ended."""

    HALT = "halt"
    FAULT = "fault"
    RESET = "reset"


@dataclass(frozen=True)
class ExecutedProgram:
    """The last pass of one program, told from the instruction memory and the retire log.

    Hashable, so that all that is worked out from it is worked out once however often the program runs.
    """

    code: bytes
    """Every word that was fetched, 16 bytes each, lowest first; the last one did not complete."""
    log: bytes
    """`RunResult.retires` as bytes."""
    end: End
    code_ended: bool
    """Did the pc run beyond the last word of the program?"""
    ext_words: int

    @cached_property
    def retires(self) -> NDArray[np.int64]:
        """`RunResult.retires`: int64[n_inst, 5]."""
        return np.frombuffer(self.log, np.int64).reshape(-1, 5)

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The word of every instruction that completed."""
        return self._fetched[:-1]

    @property
    def last_word(self) -> int:
        """The word at which the program ended, or that rst cut."""
        return self._fetched[-1]

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """The instructions that completed, in order."""
        return tuple(decode(word) for word in self.words)

    @cached_property
    def last(self) -> Instruction:
        """The instruction at which the program ended, or that rst cut."""
        return decode(self.last_word)

    @cached_property
    def footprints(self) -> tuple[Footprint, ...]:
        """What each of them touched."""
        return tuple(footprint(instruction) for instruction in self.instructions)

    @cached_property
    def places(self) -> list[Places]:
        """Where the operands of each can still be read."""
        return places_at_end(self.instructions, self._abandoned, self.ext_words)

    @property
    def _abandoned(self) -> Instruction | None:
        """The instruction that rst cut, if it may have begun."""
        return self.last if self.end is End.RESET and fault_reason(self.last) is None else None

    @cached_property
    def _fetched(self) -> tuple[int, ...]:
        return tuple(
            int.from_bytes(self.code[start : start + WORD_BYTES], "little")
            for start in range(0, len(self.code), WORD_BYTES)
        )


@lru_cache(maxsize=512)
def executed_program(code: bytes, log: bytes, end: End, code_ended: bool, ext_words: int) -> ExecutedProgram:
    """Return the one object for a program that did just this; fields as there."""
    return ExecutedProgram(code, log, end, code_ended, ext_words)
