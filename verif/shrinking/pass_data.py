"""Simpler data: zeros, then small values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import footprint
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram
from verif.shrinking.draft import Draft, trimmed
from verif.shrinking.reduction import fewer, smaller
from verif.shrinking.search import Search, Trials

_Values = NDArray[np.int64]

_SIGN_BIT = 0x8000_0000


def simpler_data(search: Search) -> Trials[None]:
    """Make words of the memories 0, then smaller, last program first."""
    for position in reversed(range(len(search.current))):
        yield from search.attempt_program(position, _only_what_is_read(search.draft(position)))
        program = search.current[position]
        words = _Words(program)

        def attempt(kept: Sequence[int], position: int = position, words: _Words = words) -> Trials[bool]:
            return search.attempt_program(position, words.only(kept))

        yield from fewer(words.nonzero, attempt)
        yield from _smaller_values(search, position)


class _Words:
    """Both memories of a program at the start as one sequence of signed values, scratchpad first."""

    def __init__(self, program: DirectedProgram) -> None:
        self.program = program
        bundle = program.bundle
        words: WordArray = np.zeros(SCRATCHPAD_WORDS + bundle.ext_words, np.uint32)
        if bundle.scratchpad is not None:
            words[: len(bundle.scratchpad)] = bundle.scratchpad
        words[SCRATCHPAD_WORDS : SCRATCHPAD_WORDS + len(bundle.ext)] = bundle.ext
        self.values: _Values = words.view(np.int32).astype(np.int64)

    @property
    def nonzero(self) -> list[int]:
        """The positions of the words that are not 0."""
        found: list[int] = np.flatnonzero(self.values).tolist()
        return found

    def only(self, kept: Sequence[int]) -> DirectedProgram:
        """Return the program with zeros everywhere else."""
        values = np.zeros_like(self.values)
        values[list(kept)] = self.values[list(kept)]
        return self.having(values)

    def having(self, values: _Values) -> DirectedProgram:
        """Return the program with other values."""
        bundle = self.program.bundle
        words: WordArray = (values & 0xFFFF_FFFF).astype(np.uint32)
        scratchpad = None if bundle.scratchpad is None else trimmed(words[:SCRATCHPAD_WORDS])
        changed = replace(bundle, ext=trimmed(words[SCRATCHPAD_WORDS:]), scratchpad=scratchpad)
        return replace(self.program, bundle=changed)


def _smaller_values(search: Search, position: int) -> Trials[None]:
    """Make all words smaller at once, then one after the other."""
    changes: list[Callable[[_Values], _Values]] = [np.abs, np.sign, lambda values: np.sign(values) ** 2]
    changes += [_low_byte, lambda values: np.sign(values) * (np.abs(values) >> 1)]
    for change in changes:
        taken = True
        while taken:  # halving goes on as long as it is taken; the others change nothing the second time
            words = _Words(search.current[position])
            taken = yield from search.attempt_program(position, words.having(change(words.values)))
    for place in _Words(search.current[position]).nonzero:
        yield from _smaller_value(search, position, _Words(search.current[position]), place)


def _smaller_value(search: Search, position: int, words: _Words, place: int) -> Trials[None]:
    """Make the size of one word smaller, and then try it without its sign."""

    def attempt_value(value: int) -> Trials[bool]:
        values = words.values.copy()
        values[place] = value
        return search.attempt_program(position, words.having(values))

    value = int(words.values[place])
    sign = -1 if value < 0 else 1
    size = yield from smaller(abs(value), lambda number: attempt_value(sign * number))
    if sign < 0 and size:
        yield from attempt_value(size)


def _low_byte(values: _Values) -> _Values:
    """Return what an int8 operand reads of each word."""
    return (values + 128) % 256 - 128


def _only_what_is_read(draft: Draft) -> DirectedProgram:
    """Return the program with zeros in every word that no instruction finds as it was at the start."""
    bundle = draft.program.bundle
    scratchpad_read, scratchpad_written = _masks(SCRATCHPAD_WORDS)
    ext_read, ext_written = _masks(EXT_ADDRESS_WORDS)
    for step in draft.steps:
        touched = footprint(step.instruction)
        for region in touched.reads.values():
            addresses = region.addresses().ravel()
            scratchpad_read[addresses] |= ~scratchpad_written[addresses]
        if touched.ext_reads:
            addresses = touched.ext_reads.addresses()
            ext_read[addresses] |= ~ext_written[addresses]
        if touched.writes:
            scratchpad_written[touched.writes.addresses().ravel()] = True
        if touched.ext_writes:
            ext_written[touched.ext_writes.addresses()] = True
    scratchpad = bundle.scratchpad
    if scratchpad is not None:
        scratchpad = trimmed(np.where(scratchpad_read[: len(scratchpad)], scratchpad, 0))
    ext = trimmed(np.where(ext_read[: len(bundle.ext)], bundle.ext, 0))
    return replace(draft.program, bundle=replace(bundle, ext=ext, scratchpad=scratchpad))


def _masks(size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return np.zeros(size, np.bool_), np.zeros(size, np.bool_)
