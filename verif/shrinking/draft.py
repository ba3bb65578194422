"""A program taken apart, so that parts of it can be left out while the others still read what they read.

GA2 has no branch, so an instruction needs nothing of those before it but the words that they leave behind. A
draft knows them from the model: when it is put together again, every word that an instruction read and that
no instruction before it writes any more is set from the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import AddressArray, Footprint, Region, footprint
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.definedness import Mask
from refmodel.machine.result import RunResult, WordArray
from refmodel.machine.trace import trace_program
from sequences.directed.directed_program import DirectedProgram
from verif.series.program_series import state_after
from verif.shrinking.step import OperandValues, Step
from verif.shrinking.stimulus_move import moved_stimulus


@dataclass(frozen=True, eq=False)
class Draft:
    """A program as steps."""

    program: DirectedProgram
    """What it was made of."""
    before: RunResult | None
    """The model's state when that program began, where it brings no scratchpad of its own."""
    steps: tuple[Step, ...]
    """The instructions that complete."""
    end: tuple[int, ...]
    """The words from the one that ends the program on."""

    @classmethod
    def of(cls, series: Sequence[DirectedProgram], position: int) -> Draft:
        """Take apart the program at a position of a series that begins on a fresh chip."""
        program = series[position]
        bundle = program.bundle
        before = state_after(series[:position]) if bundle.scratchpad is None else None
        trace = trace_program(bundle, before)
        steps = tuple(
            Step.of(word, traced) for word, traced in zip(bundle.code, trace.instructions, strict=False)
        )
        return cls(program, before, steps, bundle.code[len(steps) :] or (0,))

    def with_steps(self, steps: Iterable[Step]) -> Draft:
        """Return the draft with other steps, each still knowing where it came from."""
        return replace(self, steps=tuple(steps))

    def with_step(self, index: int, step: Step) -> Draft:
        """Return the draft with another step in one place."""
        return self.with_steps([*self.steps[:index], step, *self.steps[index + 1 :]])

    def assembled(self) -> DirectedProgram:
        """Put the program together."""
        bundle = self.program.bundle
        scratchpad = _Image(SCRATCHPAD_WORDS, *self._initial_scratchpad())
        ext = _Image(EXT_ADDRESS_WORDS, bundle.ext, np.ones(len(bundle.ext), np.bool_))
        for step in self.steps:
            touched = footprint(step.instruction)
            for name, values in step.reads.items():
                region = touched.reads.get(name)
                if region is not None:
                    scratchpad.read(region, values)
                else:
                    ext.read(_ext_source(touched), values)
            scratchpad.write(touched.writes)
            ext.write(touched.ext_writes)
        keeps_scratchpad = bundle.scratchpad is None and not scratchpad.changed
        code = (*(step.word for step in self.steps), *self.end)
        assembled = replace(
            bundle,
            code=code,
            ext=trimmed(ext.words[: bundle.ext_words]),
            scratchpad=None if keeps_scratchpad else trimmed(scratchpad.words),
        )
        stimulus = moved_stimulus(
            self.program.stimulus,
            decode_program(bundle.code, bundle.read_latency),
            decode_program(code, bundle.read_latency),
            [step.origin for step in self.steps],
        )
        return replace(self.program, bundle=assembled, stimulus=stimulus)

    def _initial_scratchpad(self) -> tuple[WordArray, Mask]:
        """Return the scratchpad's words when the program began, and which of them were defined."""
        image = self.program.bundle.scratchpad
        if image is not None:
            words = np.zeros(SCRATCHPAD_WORDS, np.uint32)
            words[: len(image)] = image
            return words, np.ones(SCRATCHPAD_WORDS, np.bool_)
        if self.before is not None:
            return np.where(self.before.defined, self.before.scratchpad, 0), self.before.defined
        return np.zeros(SCRATCHPAD_WORDS, np.uint32), np.zeros(SCRATCHPAD_WORDS, np.bool_)


class _Image:
    """One memory as it must be at the start, worked out while the steps are gone through."""

    def __init__(self, size: int, words: WordArray, defined: Mask) -> None:
        self.words: WordArray = np.zeros(size, np.uint32)
        self.words[: len(words)] = words
        self.changed = False
        """Must a word be other than it was?"""
        self._defined = np.zeros(size, np.bool_)
        self._defined[: len(words)] = defined
        self._settled = np.zeros(size, np.bool_)

    def read(self, region: Region, values: OperandValues) -> None:
        """Take note of what is read; words that are set or written already stay as they are."""
        addresses: AddressArray = region.addresses().ravel()
        needed = ~self._settled[addresses] & values.defined.ravel()
        addresses, words = addresses[needed], values.words.ravel()[needed]
        self.changed |= bool(((self.words[addresses] != words) | ~self._defined[addresses]).any())
        self.words[addresses] = words
        self._settled[addresses] = True

    def write(self, region: Region | None) -> None:
        """Take note of what is written."""
        if region is not None:
            self._settled[region.addresses().ravel()] = True


def _ext_source(touched: Footprint) -> Region:
    assert touched.ext_reads is not None, "an operand is in one memory or the other"
    return touched.ext_reads


def trimmed(words: WordArray) -> WordArray:
    """Return a memory image without the zeros at its end, which are there anyway."""
    used = np.flatnonzero(words)
    return words[: used[-1] + 1 if len(used) else 0].astype(np.uint32)
