"""The data lines of assembly text: `ADDRESS: WORD WORD …`."""

from __future__ import annotations

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.isa.syntax import parse_number
from refmodel.machine.result import WordArray

SMALLEST_WORD = -(2**31)
LARGEST_WORD = 2**32 - 1
"""A word may be written as a signed or as an unsigned number."""


class StatementError(Ga2Error):
    """A statement of assembly text that is no instruction has no meaning."""


class DataImage:
    """The words that data lines give one memory."""

    def __init__(self, memory_words: int) -> None:
        """Make an image without words, of a memory of some size."""
        self._memory_words = memory_words
        self._values: dict[int, int] = {}
        self._lines: dict[int, int] = {}
        self.first_line = 0
        """Number of the first line that belongs to this image, 0 if none does."""

    @property
    def given(self) -> bool:
        """Is there a line for this memory at all, if only one without words?"""
        return self.first_line > 0

    def add(self, line: int, operands: str) -> None:
        """Take in the operands of data line number `line`.

        Raises StatementError for a line without `ADDRESS:`, a word out of range or one that is given twice.
        """
        self.first_line = self.first_line or line
        start, colon, words = operands.partition(":")
        if not colon:
            raise StatementError(f"{operands!r} has no address; write ADDRESS: WORD WORD ...")
        for address, token in enumerate(words.split(), start=parse_number(start.strip())):
            if not 0 <= address < self._memory_words:
                raise StatementError(
                    f"{token!r} is at address {address}, legal is 0..{self._memory_words - 1}"
                )
            if address in self._values:
                raise StatementError(f"word {address} was already given in line {self._lines[address]}")
            value = parse_number(token)
            if not SMALLEST_WORD <= value <= LARGEST_WORD:
                raise StatementError(f"word {token} is out of range, legal is -2^31..2^32-1")
            self._values[address] = value % 2**32
            self._lines[address] = line

    def last(self) -> tuple[int, int]:
        """Return the line and the address of the last word given; address −1 if there is none."""
        address = max(self._values, default=-1)
        return self._lines.get(address, 0), address

    def words(self) -> WordArray:
        """Return the image from address 0 to the last word given, uint32; words not given are 0."""
        image = np.zeros(self.last()[1] + 1, np.uint32)
        image[list(self._values.keys())] = list(self._values.values())
        return image
