"""Compares how each completed instruction used the memories: every write in order, and the number of reads.

Signatures are compared where both sides wrote as many words and the model knows all of them; of an
instruction that writes undefined words only the counts are. Without a named write port (SCRATCHPAD_WRITE) the
writes of ST alone are compared, without a named read enable (SCRATCHPAD_READ) no reads;
`Chip.not_compared` says so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.accesses import Accesses
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.event_text import mnemonic
from verif.bfm.observation import ObservedAccesses
from verif.bfm.retire_log import UNKNOWN_COUNT
from verif.scoreboard.comparison import SHOWN, Comparison
from verif.scoreboard.expected_run import ExpectedRun
from verif.scoreboard.verdict import Aspect


def compare_accesses(
    comparison: Comparison, bundle: Bundle, expected: ExpectedRun, found: ObservedAccesses
) -> None:
    """Compare all passes of a run."""
    _AccessComparison(comparison, bundle, expected, found).compare()


class _AccessComparison:
    """The part of one comparison that is about the memories' use."""

    def __init__(
        self, comparison: Comparison, bundle: Bundle, expected: ExpectedRun, found: ObservedAccesses
    ) -> None:
        self._comparison = comparison
        self._instructions = decode_program(bundle.code, bundle.read_latency).instructions
        self._expected, self._found = expected, found
        self._common = min(len(expected.accesses), len(found.completed))

    def compare(self) -> None:
        expected, found = self._expected.accesses, self._found
        self._value(Aspect.WRITES, "cycles outside any instruction", 0, found.outside_writes)
        if self._expected.plan.starts > 1:
            where = "completed instructions of all passes"
            self._value(Aspect.RETIRE, where, len(expected), found.completed_count)
        must, did = expected.first(self._common), found.completed.first(self._common)
        same = np.ones(self._common, np.bool_)
        if found.sees_writes:
            same &= self._counts(Aspect.WRITES, "scratchpad", must.writes, did.writes)
        same &= self._counts(Aspect.WRITES, "external", must.ext_writes, did.ext_writes)
        self._signatures(must, did, same)
        if found.sees_reads:
            self._value(Aspect.READS, "cycles outside any instruction", 0, found.outside_reads)
            self._counts(Aspect.READS, "scratchpad", must.reads, did.reads)

    def _counts(
        self, aspect: Aspect, memory: str, must: NDArray[np.int64], did: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Compare one count of each instruction; return where it is right."""
        what = "read" if aspect is Aspect.READS else "write"
        self._comparison.tally.comparisons += self._common
        same: NDArray[np.bool_] = must == did
        for index in np.flatnonzero(~same)[:SHOWN].tolist():
            unknown = did[index] == UNKNOWN_COUNT
            how = "unknown" if unknown else "extra" if did[index] > must[index] else "missing"
            where = f"{self._instruction(index)}, {how} {memory} {what}s"
            self._comparison.mismatch(aspect, where, str(must[index]), "X" if unknown else str(did[index]))
        return same

    def _signatures(self, must: Accesses, did: Accesses, same: NDArray[np.bool_]) -> None:
        """Compare words, addresses and order where the counts `same` are right."""
        compared = must.known if self._found.sees_writes else must.known & (must.writes == 0)
        self._comparison.tally.comparisons += int(np.count_nonzero(compared))
        wrong = compared & same & ((must.signatures != did.signatures) | ~did.known)
        for index in np.flatnonzero(wrong)[:SHOWN].tolist():
            unknown = not did.known[index]
            what = "unknown bits written" if unknown else "wrong word, address or order of its writes"
            text = "X" if unknown else f"signature {did.signatures[index]:#018x}"
            where = f"{self._instruction(index)}, {what}"
            self._comparison.mismatch(Aspect.WRITES, where, f"signature {must.signatures[index]:#018x}", text)

    def _value(self, aspect: Aspect, where: str, must: int, did: int) -> None:
        self._comparison.value(aspect, where, must, did)

    def _instruction(self, index: int) -> str:
        """Name an instruction: its place in its pass, and which pass where there are several."""
        number, row = divmod(index, len(self._instructions))
        which = f", pass {number + 1}" if self._expected.plan.starts > 1 else ""
        return f"instruction {row} ({mnemonic(self._instructions[row].opcode)}{which})"
