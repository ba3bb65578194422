"""The programs that ran last, so that the first failure can be run again, with its past if need be."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from refmodel.machine.result import RunResult
from sequences.directed.directed_program import DirectedProgram
from verif.series.program_series import self_contained

PROGRAMS_KEPT = 32
"""A failure that needs the state of more programs than these cannot be shown again on its own."""


@dataclass(frozen=True, eq=False)
class _Sent:
    program: DirectedProgram
    before: RunResult | None
    """The model's state when it began; None: nothing has run."""


class ProgramHistory:
    """Remembers what was sent; keeps the series up to the first failure for good."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._sent: deque[_Sent] = deque(maxlen=PROGRAMS_KEPT)
        self.last_result: RunResult | None = None
        """The model's state after the last program."""
        self._failed: tuple[_Sent, ...] = ()

    def remember(self, program: DirectedProgram, expected: RunResult) -> None:
        """Take note of a program that begins, and of the model's result of it."""
        self._sent.append(_Sent(program, self.last_result))
        self.last_result = expected

    def fail(self) -> None:
        """Take note that the last program failed; only the first call counts."""
        if not self._failed:
            self._failed = tuple(self._sent)

    def failing_series(self) -> tuple[DirectedProgram, ...]:
        """Return the programs up to and with the first that failed, self-contained; empty if none did."""
        if not self._failed:
            return ()
        return self_contained([sent.program for sent in self._failed], self._failed[0].before)
