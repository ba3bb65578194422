"""The static program checker: what can be said against a program without running it.

An error is what no program and no generator may contain; a note is legal, and worth knowing when it was not
meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from refmodel.errors import Ga2Error
from refmodel.isa.encoding import decode, encode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Halt, Illegal, Instruction
from refmodel.isa.limits import IMEM_WORDS
from refmodel.isa.regions import AddressArray, footprint, partial_overlap
from refmodel.isa.syntax import format_instruction


class Severity(Enum):
    """How bad a finding is."""

    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing that the checker has to say."""

    severity: Severity
    pc: int
    """The instruction it is about; the program's length when it is about its end."""
    instruction: str
    """Its disassembly."""
    message: str

    def __str__(self) -> str:
        """Return the finding as one line for people."""
        return f"{self.severity.value}: pc {self.pc}: {self.instruction}: {self.message}"


class ProgramError(Ga2Error):
    """The static checker found errors in a program."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """List the errors, one a line."""
        super().__init__("\n".join(map(str, findings)))
        self.findings = tuple(findings)


def check_program(
    code: Sequence[int], ext_words: int, initially_defined: NDArray[np.bool_] | None = None
) -> list[Finding]:
    """Return what can be said against a program, in the order of its instructions.

    `ext_words` is the number of external words it may touch. `initially_defined`, bool[4096], tells which
    scratchpad words have a value before it starts; None means unknown, and reads are then not checked.
    """
    return list(_findings(code, ext_words, initially_defined))


def refuse_errors(findings: Iterable[Finding]) -> None:
    """Raise ProgramError if there is an error among the findings; notes pass."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if errors:
        raise ProgramError(errors)


def _findings(
    code: Sequence[int], ext_words: int, initially_defined: NDArray[np.bool_] | None
) -> Iterator[Finding]:
    defined = None if initially_defined is None else initially_defined.copy()
    for pc, word in enumerate(code[:IMEM_WORDS]):
        instruction = decode(word)
        text = format_instruction(instruction)
        if not isinstance(instruction, Illegal) and encode(instruction) != word:
            yield Finding(Severity.NOTE, pc, text, "reserved bits are set; the chip ignores them")
        reason = fault_reason(instruction)
        if reason:
            yield Finding(Severity.NOTE, pc, text, f"faults: {reason}")
        if reason or isinstance(instruction, Halt):
            rest = len(code) - pc - 1
            if any(code[pc + 1 :]):
                yield Finding(Severity.NOTE, pc, text, f"the {rest} words after it are never executed")
            break
        for message in _errors(instruction, ext_words, defined):
            yield Finding(Severity.ERROR, pc, text, message)
    else:
        if len(code) == IMEM_WORDS:
            yield Finding(Severity.NOTE, 0, format_instruction(decode(code[0])), "runs again: the pc wraps")
        elif len(code) < IMEM_WORDS:
            message = "the program runs past its last word, where every word is HALT"
            yield Finding(Severity.NOTE, len(code), "HALT", message)
    if len(code) > IMEM_WORDS:
        text = format_instruction(decode(code[IMEM_WORDS]))
        message = f"the program has {len(code)} words, the instruction memory holds {IMEM_WORDS}; shorten it"
        yield Finding(Severity.ERROR, IMEM_WORDS, text, message)


def _errors(instruction: Instruction, ext_words: int, defined: NDArray[np.bool_] | None) -> Iterator[str]:
    """Yield what is wrong with one instruction that executes, and mark in `defined` what it writes."""
    touched = footprint(instruction)
    overlapping = partial_overlap(touched)
    if overlapping:
        yield f"dst overlaps {overlapping} partially, so dst is undefined; make them identical or disjoint"
    for verb, region in (("reads", touched.ext_reads), ("writes", touched.ext_writes)):
        if region is not None:
            addresses = region.addresses()
            yield from _about_words(
                f"{verb} external",
                addresses[addresses >= ext_words],
                f"legal is 0..{ext_words - 1} (ext_words)",
            )
    if defined is None:
        return
    for name, region in touched.reads.items():
        addresses = region.addresses().ravel()
        yield from _about_words(f"{name} reads scratchpad", addresses[~defined[addresses]], "never written")
        defined[addresses] = True  # one finding a word is enough
    if touched.writes is not None:
        defined[touched.writes.addresses()] = True


def _about_words(what: str, addresses: AddressArray, problem: str) -> Iterator[str]:
    """Yield one message about the words at some addresses, if there are any."""
    distinct = np.unique(addresses)
    if len(distinct) == 1:
        yield f"{what} word {distinct[0]}, {problem}"
    elif len(distinct):
        yield f"{what} words {distinct[0]}..{distinct[-1]} ({len(distinct)} words), {problem}"
