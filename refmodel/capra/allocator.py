"""A first-fit allocator of scratchpad words with coalescing of neighbouring free regions."""

from __future__ import annotations

from bisect import bisect_left


class Allocator:
    """Hands out regions of consecutive words, the lowest that fits first.

    Holds the free regions as two parallel lists, addresses ascending, never empty and never adjacent. With
    `reuse` false a released region stays taken, so that every region is used once.
    """

    def __init__(self, words: int, reuse: bool = True) -> None:
        """Start with all of `words` words free."""
        self._starts = [0]
        self._lengths = [words]
        self._reuse = reuse
        self._taken: dict[int, int] = {}
        self.high_water = 0
        """Words from address 0 up to the highest one ever handed out."""

    @property
    def largest_free(self) -> int:
        """Length of the longest free region."""
        return max(self._lengths, default=0)

    def allocate(self, length: int) -> int | None:
        """Take `length` ≥ 1 words and return their first address, or None when no region is long enough."""
        for index, available in enumerate(self._lengths):
            if available >= length:
                address = self._starts[index]
                if available == length:
                    del self._starts[index], self._lengths[index]
                else:
                    self._starts[index] += length
                    self._lengths[index] -= length
                self._taken[address] = length
                self.high_water = max(self.high_water, address + length)
                return address
        return None

    def release(self, address: int) -> None:
        """Give back the region that starts at `address`; raises KeyError when none does."""
        length = self._taken.pop(address)
        if not self._reuse:
            return
        index = bisect_left(self._starts, address)
        if index < len(self._starts) and self._starts[index] == address + length:
            length += self._lengths[index]
            del self._starts[index], self._lengths[index]
        if index > 0 and self._starts[index - 1] + self._lengths[index - 1] == address:
            self._lengths[index - 1] += length
        else:
            self._starts.insert(index, address)
            self._lengths.insert(index, length)
