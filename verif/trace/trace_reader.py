"""Takes the trace out of the harness, batch by batch, while a program runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from verif.bfm import harness
from verif.bfm.memory_backdoor import MemoryBackdoor, WordArray
from verif.trace.recorded_trace import RecordedTrace

MOST_EVENTS = 1 << 20
"""Events that are kept of one run; the longest sensible program has half as many."""

_WORDS_PER_ENTRY = 4


class TraceReader:
    """Reads the log of hdl/tb/ga2_tb_trace.sv, one run after another."""

    def __init__(self, top: Any) -> None:
        """Open the log. `top` is cocotb's handle of the harness. Raises BackdoorError."""
        self._top = top
        self._log = MemoryBackdoor.array(harness.TRACE, harness.TRACE_ENTRIES)
        self._words: list[WordArray] = []
        self._unknown: list[WordArray | None] = []

    async def collect(self) -> None:
        """Forget the run before and take every batch; a task beside the program, ended with it."""
        self._words, self._unknown = [], []
        while True:
            await self._top.trace_batches.value_change
            self._take(int(self._top.trace_count.value))

    def finish(self) -> RecordedTrace:
        """Take what is left after the run and return the whole trace."""
        self._take(int(self._top.trace_count.value))
        words = np.concatenate(self._words)
        unknown = (
            np.concatenate(
                [
                    np.zeros_like(taken) if bits is None else bits
                    for taken, bits in zip(self._words, self._unknown, strict=True)
                ]
            )
            if any(bits is not None for bits in self._unknown)
            else None
        )
        return RecordedTrace(
            entries=_entries(words[: MOST_EVENTS * _WORDS_PER_ENTRY]),
            unknown=() if unknown is None else _entries(unknown[: MOST_EVENTS * _WORDS_PER_ENTRY]),
            sees_scratchpad=bool(self._top.sees_writes.value),
            complete=len(words) <= MOST_EVENTS * _WORDS_PER_ENTRY,
        )

    def _take(self, count: int) -> None:
        if sum(map(len, self._words)) <= MOST_EVENTS * _WORDS_PER_ENTRY:
            words, unknown = self._log.read(count)
            self._words.append(words)
            self._unknown.append(unknown)


def _entries(words: WordArray) -> tuple[int, ...]:
    """Return 128-bit entries of words, lowest first."""
    image = words.astype("<u4").tobytes()
    return tuple(int.from_bytes(image[at : at + 16], "little") for at in range(0, len(image), 16))
