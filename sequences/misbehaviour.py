"""Programs for the chip that breaks the rules on demand (hdl/tb/misbehaving/ga2.sv)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from refmodel.machine.bundle import Bundle
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import Stimulus


class Rule(IntEnum):
    """The rules that it can break, numbered as there."""

    BEHAVE = 0
    SKIP_TOTAL = 1
    TWO_UNITS = 2
    MOVE_PC = 3
    SKIP_PC = 4
    FAULT_ALONE = 5
    HALT_BUSY = 6
    REQUEST_ANYWHERE = 7
    REQUEST_ELSEWHERE = 8
    WRITE_ANYWHERE = 9
    WRITE_ELSEWHERE = 10
    LEAVE_EARLY = 11
    REQUEST_HALTED = 12
    COUNT_HALTED = 13
    KEEP_PC = 14
    UNKNOWN_VALID = 15
    UNKNOWN_COUNTER = 16
    COUNT_TWICE = 17
    NEVER_END = 18
    FORGET_HALT = 19


LOAD, STORE, BUSY = 1, 2, 4
"""Its three instructions."""

LENGTH = 9
BASE = 40

_INSTRUCTION_OF = {
    Rule.REQUEST_ELSEWHERE: LOAD,
    Rule.LEAVE_EARLY: LOAD,
    Rule.WRITE_ELSEWHERE: STORE,
}
"""Rules that need an instruction of their own; the others are broken while a vector unit is busy."""


def misbehaving_programs() -> Iterator[DirectedProgram]:
    """Yield a program for each rule, named after it; each begins with rst, which mends the chip."""
    for rule in Rule:
        if rule is Rule.NEVER_END:
            continue
        words = [_word(LOAD), _word(STORE), _word(BUSY), _word(_INSTRUCTION_OF.get(rule, BUSY), rule), 0]
        stimulus = Stimulus(reset_first=True, reset_cycle=_reset_cycle() if rule is Rule.KEEP_PC else None)
        yield DirectedProgram(rule.name, _bundle(words), stimulus)


def never_ending_program() -> DirectedProgram:
    """Return the program that does not halt."""
    return DirectedProgram("hang", _bundle([_word(BUSY, Rule.NEVER_END), 0]), Stimulus(cycle_limit=500))


def _word(opcode: int, rule: Rule = Rule.BEHAVE) -> int:
    return opcode << 124 | BASE << 92 | LENGTH << 76 | rule


def _bundle(words: list[int]) -> Bundle:
    return Bundle(tuple(words), np.arange(100, dtype=np.uint32), ext_words=100)


def _reset_cycle() -> int:
    """Return a cycle in the middle of the fourth instruction."""
    front, latency = 2, 8
    load, store, busy = LENGTH + latency + 1, LENGTH + 2, LENGTH + 2
    return 4 * front + load + store + busy + LENGTH // 2
