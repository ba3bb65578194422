"""Programs for the chip that breaks the rules on demand (hdl/tb/misbehaving/ga2.sv)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

import numpy as np

from refmodel.isa.instructions import Opcode
from refmodel.isa.limits import IMEM_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
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
    STAY_LONG = 20
    REQUEST_LATE = 21
    REQUEST_PAUSED = 22
    WRITE_EARLY = 23
    SKIP_UNIT = 24
    COUNT_16 = 25
    LATE_INST = 26
    DROP_FAULT = 27
    MOVE_AT_LOST = 28
    RESTART_BUSY = 29
    START_UNDER_RST = 30
    SECOND_RST = 31
    ACCEPT_STRAY = 32
    SAMPLE_IN_ISSUE = 33
    PC_12 = 34
    SLOW_ISSUE = 35
    HALT_LATE = 36
    SILENT_FAULT = 37
    FAULT_LEGAL = 38
    MOVE_AT_HALT = 39
    COUNT_IDLE = 40
    LOSE_START = 41
    LOSE_HELD = 42
    LOSE_AFTER_FAULT = 43
    KEEP_COUNTER = 44
    WRAP_LATE = 45


LENGTH, BASE, EXT_WORDS = 9, 40, 100
LONGEST = 4095
FAULT = 0xF << 124

_BROKEN_BY: Mapping[Rule, Sequence[Opcode]] = {
    Rule.REQUEST_ELSEWHERE: (Opcode.LD,),
    Rule.LEAVE_EARLY: (Opcode.LD,),
    Rule.REQUEST_LATE: (Opcode.LD,),
    Rule.REQUEST_PAUSED: (Opcode.LD,),
    Rule.WRITE_ELSEWHERE: (Opcode.ST,),
    Rule.WRITE_EARLY: (Opcode.ST,),
    Rule.SKIP_UNIT: (Opcode.MM, Opcode.LD, Opcode.RQ),
    Rule.STAY_LONG: tuple(opcode for opcode in Opcode if opcode is not Opcode.HALT),
}
"""Rules that need an instruction of their own; the others are broken while a vector unit is busy."""

_FAULTING = (Rule.DROP_FAULT, Rule.SILENT_FAULT, Rule.LOSE_AFTER_FAULT)
_RESET_IN_PROGRAM = (Rule.KEEP_PC, Rule.COUNT_IDLE, Rule.START_UNDER_RST, Rule.SECOND_RST)
_STARTED_AGAIN = (Rule.LOSE_START, Rule.LOSE_AFTER_FAULT, Rule.KEEP_COUNTER)
_LOST_START = (Rule.MOVE_AT_LOST, Rule.RESTART_BUSY)

ALONE = (Rule.NEVER_END, Rule.WRAP_LATE)
"""Rules with a program of their own: one never ends, the other fills the program memory."""


def misbehaving_programs() -> Iterator[DirectedProgram]:
    """Yield programs for each rule, named after it and the instruction that it takes, if it takes several.

    Each begins with rst, which mends the chip.
    """
    for rule in Rule:
        opcodes = _BROKEN_BY.get(rule, (Opcode.RQ,))
        for opcode in () if rule in ALONE else opcodes:
            name = rule.name if len(opcodes) == 1 else f"{rule.name}_{opcode.name}"
            bundle = _bundle(_words(rule, opcode))
            yield DirectedProgram(name, bundle, _stimulus(rule, bundle))
    for opcode in (Opcode.LD, Opcode.ST):  # here it is the program that breaks a rule
        beyond = _bundle([_word(opcode, base=EXT_WORDS - LENGTH // 2), 0])
        yield DirectedProgram(f"BEYOND_{opcode.name}", beyond, Stimulus(reset_first=True))


def never_ending_program() -> DirectedProgram:
    """Return the program that does not halt."""
    words = [_word(Opcode.RQ, Rule.NEVER_END), 0]
    return DirectedProgram("hang", _bundle(words), Stimulus(reset_first=True, cycle_limit=500))


def wrapping_program() -> DirectedProgram:
    """Return the program whose pc wraps; rst ends it in the FETCH of word 0 after that."""
    bundle = _bundle([_word(Opcode.RQ, Rule.WRAP_LATE, length=1)] * IMEM_WORDS)
    end = decode_program(bundle.code, bundle.read_latency).counters.cyc_total
    return DirectedProgram(Rule.WRAP_LATE.name, bundle, Stimulus(reset_first=True, reset_cycle=end - 1))


def _words(rule: Rule, opcode: Opcode) -> list[int]:
    if rule is Rule.COUNT_16:
        return [_word(Opcode.RQ, rule), *17 * [_word(Opcode.AMAX, length=LONGEST)], 0]
    if rule is Rule.PC_12:
        return [_word(Opcode.RQ, rule, length=1)] * 4096
    end = FAULT if rule in _FAULTING else 0
    after = [_word(Opcode.LD)] if rule in (Rule.ACCEPT_STRAY, Rule.SAMPLE_IN_ISSUE) else []
    return [_word(Opcode.LD), _word(Opcode.ST), _word(Opcode.RQ), _word(opcode, rule), *after, end]


def _stimulus(rule: Rule, bundle: Bundle) -> Stimulus:
    program = decode_program(bundle.code, bundle.read_latency)
    end = program.counters.cyc_total
    last_busy = int(program.last_cycles[-1])
    inside = last_busy - LENGTH // 2
    extra = None
    if rule in _LOST_START or rule is Rule.START_UNDER_RST:
        extra = (inside, inside)
    elif rule in _STARTED_AGAIN:
        extra = (end + 3, end + 3)
    elif rule is Rule.LOSE_HELD:
        extra = (end, end + 1)
    elif rule is Rule.SECOND_RST:
        extra = (inside + 1, inside + 1)
    reset = inside if rule in _RESET_IN_PROGRAM else None
    return Stimulus(
        reset_first=True,
        reset_cycle=reset,
        reset_width=3 if rule is Rule.SECOND_RST else 1,
        extra_start=extra,
        stray_responses=int(rule is Rule.ACCEPT_STRAY),
    )


def _word(opcode: Opcode, rule: Rule = Rule.BEHAVE, length: int = LENGTH, base: int = BASE) -> int:
    """Return a word that is legal as any instruction: of MM the tile is 2 x 3 x 2."""
    tile = 2 << 38 | 3 << 30 | 2 << 22
    return opcode << 124 | base << 92 | length << 76 | length << 52 | tile | rule


def _bundle(words: list[int]) -> Bundle:
    return Bundle(tuple(words), np.arange(EXT_WORDS, dtype=np.uint32), ext_words=EXT_WORDS)
