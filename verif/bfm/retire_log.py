"""The retire log as the harness keeps it (hdl/tb/ga2_tb_retire_log.sv), taken apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.accesses import Accesses
from refmodel.machine.result import WordArray

ENTRY_WORDS = 8
"""From the lowest: cyc_vec, cyc_dma, cyc_mm, opcode and pc, signature (two words), writes, reads."""

UNKNOWN_COUNT = -1
"""Stands for a count that holds an X."""


class RetireLog:
    """The entries of one run, all passes after each other."""

    def __init__(self, words: WordArray, unknown: WordArray | None) -> None:
        """Take the words of the entries, and their unknown bits if there are any."""
        self._entries = words.reshape(-1, ENTRY_WORDS)
        self._unknown = None if unknown is None else unknown.reshape(-1, ENTRY_WORDS)

    def retires(self, first: int) -> NDArray[np.int64]:
        """Return the entries from one on as `RunResult.retires`."""
        entries = self._entries[first:]
        retires = np.empty((len(entries), 5), np.int64)
        retires[:, 0] = entries[:, 3] & 0xFFFF
        retires[:, 1] = entries[:, 3] >> 16
        retires[:, 2:] = entries[:, 2::-1]
        return retires

    def accesses(self) -> Accesses:
        """Return how each instruction used the memories."""
        return Accesses(
            signatures=np.ascontiguousarray(self._entries[:, 4:6]).view(np.uint64)[:, 0],
            known=~self._holds_unknown(slice(4, 6), 0xFFFF_FFFF),
            writes=self._counts(6, 0, 0xFFFF),
            ext_writes=self._counts(6, 16, 0xFFFF),
            reads=self._counts(7, 0, 0xFFFF_FFFF),
        )

    def _counts(self, word: int, low: int, mask: int) -> NDArray[np.int64]:
        counts = (self._entries[:, word] >> low & mask).astype(np.int64)
        counts[self._holds_unknown(slice(word, word + 1), mask << low)] = UNKNOWN_COUNT
        return counts

    def _holds_unknown(self, words: slice, mask: int) -> NDArray[np.bool_]:
        if self._unknown is None:
            return np.zeros(len(self._entries), np.bool_)
        holds: NDArray[np.bool_] = np.any(self._unknown[:, words] & np.uint32(mask), axis=1)
        return holds
