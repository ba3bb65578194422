"""Memories that keep, word by word and in order, what an instruction writes to them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.regions import Region
from refmodel.machine.memory import SIGNED_WORD, MachineMemory, Writer
from refmodel.machine.result import WordArray


class RecordingMemory(MachineMemory):
    """The machine's memories, for tracing: the machine's own operations run on them and are overheard."""

    def __init__(self) -> None:
        """Make memories that are 0 everywhere, with nothing recorded."""
        super().__init__()
        self.written: WordArray = np.zeros(0, np.uint32)
        """The words of the latest result, flat and in the order of writing; those that do not stay too."""

    def scratchpad_writer(self, region: Region, element: np.dtype[Any] = SIGNED_WORD) -> Writer:
        """Return what writes a region of the scratchpad and records the words."""
        return self._recorded(super().scratchpad_writer(region, element))

    def ext_writer(self, region: Region) -> Writer:
        """Return what writes a region of external memory and records the words."""
        return self._recorded(super().ext_writer(region))

    def _recorded(self, write: Writer) -> Writer:
        def write_and_record(values: NDArray[Any]) -> None:
            # A copy: `values` may be a view of a memory that goes on changing.
            self.written = as_words(values)
            write(values)

        return write_and_record


def as_words(values: NDArray[Any]) -> WordArray:
    """Return integers as memory words, flat: the low 32 bits of each, unsigned."""
    return values.astype(np.int64).ravel().astype(np.uint32)
