"""Compares what the RTL did with what it must do, value by value."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Opcode
from refmodel.machine.bundle import Expectation
from refmodel.machine.result import RETIRE_COLUMNS, Counters, RunResult, WordArray
from verif.bfm.check import BOUND_CHECKS, Check
from verif.bfm.chip_rule import ChipRule
from verif.bfm.observation import Observation
from verif.counter_text import counter_difference, counter_text
from verif.scoreboard.expected_run import ExpectedRun
from verif.scoreboard.verdict import Aspect, Mismatch, Tally

SHOWN = 8
"""Differing words of one memory that are named one by one; the rest is counted."""

Mask = NDArray[np.bool_]


class Comparison:
    """The comparison of one program; collects mismatches and counts the values compared."""

    def __init__(self, program: str) -> None:
        """Begin with nothing compared."""
        self.program = program
        self.mismatches: list[Mismatch] = []
        self.tally = Tally()

    def run(self, expected: ExpectedRun, found: Observation, *, strays_expected: bool = False) -> None:
        """Compare everything that is known of a run."""
        self.tally.programs += 1
        self.tally.cycles += found.result.counters.cyc_total
        self._value(Aspect.STATUS, "starts honoured", expected.plan.starts, found.starts)
        self._value(Aspect.STATUS, "ended by rst", expected.is_reset, found.was_reset)
        for name in found.unknown_outputs:
            self.mismatch(Aspect.UNKNOWN, name, "a defined value", "X")
        self._state(expected.result, found.result)
        self._retires(expected.result.retires, found)
        self._checks(expected, found, strays_expected)

    def expectation(self, expect: Expectation, found: RunResult) -> None:
        """Compare with the final state that came with the bundle; the scratchpad began with known words."""
        scratchpad = np.zeros(len(found.scratchpad), np.uint32)
        scratchpad[: len(expect.scratchpad)] = expect.scratchpad
        ext = np.zeros(len(found.ext), np.uint32)
        ext[: len(expect.ext)] = expect.ext
        self._status(expect.halted, expect.fault, expect.counters, found)
        self._memory(Aspect.EXT, ext, None, found.ext, found.ext_defined)
        self._memory(Aspect.SCRATCHPAD, scratchpad, None, found.scratchpad, found.defined)

    def value(self, aspect: Aspect, where: str, expected: object, found: object) -> None:
        """Compare one value of the caller's own."""
        self._value(aspect, where, expected, found)

    def _state(self, expected: RunResult, found: RunResult) -> None:
        self._status(expected.halted, expected.fault, expected.counters, found)
        self._memory(Aspect.EXT, expected.ext, expected.ext_defined, found.ext, found.ext_defined)
        self._memory(
            Aspect.SCRATCHPAD, expected.scratchpad, expected.defined, found.scratchpad, found.defined
        )

    def _status(self, halted: bool, fault: bool, counters: Counters, found: RunResult) -> None:
        self._value(Aspect.STATUS, "halted", halted, found.halted)
        self._value(Aspect.STATUS, "fault", fault, found.fault)
        for field in fields(Counters):
            self._counter(
                Aspect.COUNTER,
                field.name,
                getattr(counters, field.name),
                getattr(found.counters, field.name),
            )

    def _memory(
        self,
        aspect: Aspect,
        expected: WordArray,
        compared: Mask | None,
        found: WordArray,
        known: Mask | None,
    ) -> None:
        """Compare the words that `compared` selects (None: all); one that is not `known` holds an X."""
        if expected.shape != found.shape:
            self.mismatch(aspect, "size", f"{len(expected)} words", f"{len(found)} words")
            return
        wrong = expected != found
        if known is not None:
            wrong |= ~known
        if compared is not None:
            wrong &= compared
        self.tally.comparisons += len(expected) if compared is None else int(np.count_nonzero(compared))
        if not wrong.any():
            return
        addresses = np.flatnonzero(wrong)
        for address in addresses[:SHOWN].tolist():
            word = f"{found[address]:#010x}" if known is None or known[address] else "X"
            self.mismatch(aspect, f"word {address}", f"{expected[address]:#010x}", word)
        if len(addresses) > SHOWN:
            where = f"{len(addresses) - SHOWN} further words, up to {addresses[-1]}"
            self.mismatch(aspect, where, "equal", "different")

    def _retires(self, expected: NDArray[np.int64], observed: Observation) -> None:
        """Compare the last pass, as far as the log holds it."""
        found, accesses = observed.result.retires, observed.accesses
        count = accesses.completed_count - (len(accesses.completed) - len(found))
        self._value(Aspect.RETIRE, "number of completed instructions", len(expected), count)
        common = min(len(expected), len(found))
        self.tally.comparisons += common * len(RETIRE_COLUMNS)
        for row, column in np.argwhere(expected[:common] != found[:common])[:SHOWN].tolist():
            aspect = Aspect.RETIRE if RETIRE_COLUMNS[column] in ("pc", "opcode") else Aspect.BUSY
            where = f"instruction {row} ({_mnemonic(expected[row, 1])}), {RETIRE_COLUMNS[column]}"
            must, came = int(expected[row, column]), int(found[row, column])
            if aspect is Aspect.BUSY:
                where, text = where.replace("busy_", "cyc_"), _counter_text(must, came)
            else:
                text = str(came)
            self.mismatch(aspect, where, str(must), text)

    def _checks(self, expected: ExpectedRun, found: Observation, strays_expected: bool) -> None:
        """Every harness check must have looked as often as the program demands, and found nothing."""
        checks = found.checks
        strays = 0
        failed = False
        for check, count, cycle in checks.broken():
            if check in BOUND_CHECKS and strays_expected:
                strays += count
                continue
            failed = True
            self.broken_rule(check, count, cycle)
        for check, (at_least, at_most) in expected.check_counts.items():
            looked = int(checks.checked[check])
            if check is Check.RESET_CLEARS:
                looked -= found.reset_after_hang
            self.tally.comparisons += 1
            wrong = looked < at_least or (at_most is not None and looked > at_most)
            if wrong and not failed:  # a chip off its path meets other cycles
                times = f"{at_least} times" if at_least == at_most else f"at least {at_least} times"
                self.mismatch(Aspect.CHECK, f"{check.name} looked", times, f"{looked} times")
        if strays_expected:
            self._value(Aspect.CHECK, "accesses beyond ext_words", expected.result.stray_ext_accesses, strays)

    def broken_rule(self, rule: Check | ChipRule, count: int, cycle: int) -> None:
        """Tell of a check that failed, in the words of docs/isa.md or of the chip's own rules."""
        self.mismatch(Aspect.CHECK, rule.name, f'"{rule.sentence}"', _failures(count, cycle))

    def _value(self, aspect: Aspect, where: str, expected: object, found: object) -> None:
        self.tally.comparisons += 1
        if expected != found:
            self.mismatch(aspect, where, str(expected), str(found))

    def _counter(self, aspect: Aspect, where: str, expected: int, found: int) -> None:
        """Compare a counter; a wrong one is told as a difference too."""
        self.tally.comparisons += 1
        if expected != found:
            self.mismatch(aspect, where, str(expected), _counter_text(expected, found))

    def mismatch(self, aspect: Aspect, where: str, expected: str, found: str) -> None:
        """Take note of one thing that is wrong."""
        mismatch = Mismatch(self.program, aspect, where, expected, found)
        if mismatch not in self.mismatches:  # a bundle's expectation repeats what the model expects
            self.mismatches.append(mismatch)


def _failures(count: int, cycle: int) -> str:
    return f"{count} {'failure' if count == 1 else 'failures'}, the first in cycle {cycle}"


def _counter_text(expected: int, found: int) -> str:
    return f"{expected + counter_difference(expected, found)}: {counter_text(expected, found)}"


def _mnemonic(opcode: int) -> str:
    return Opcode(opcode).name if opcode in list(Opcode) else f"opcode {opcode}"
