"""A program while it grows: its instructions, what they leave defined, and the data they are fed with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Instruction, Load
from refmodel.isa.limits import MAX_LENGTH, SCRATCHPAD_WORDS
from refmodel.isa.regions import Region, footprint, partial_overlap, vector
from refmodel.isa.syntax import format_instruction
from refmodel.machine.definedness import Mask
from sequences.random_programs.addresses import external_start
from sequences.random_programs.data_region import DataRegion, Profile
from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import Size
from sequences.random_programs.nominal_cycles import nominal_cycles
from sequences.random_programs.weights import Weights

Span = tuple[int, int]
"""Start and length of neighbouring scratchpad words."""

REMEMBERED = 6
"""Results that a chained source is drawn from: the last ones."""

ALL_DEFINED = (1 << SCRATCHPAD_WORDS) - 1


class ConstraintError(Ga2Error):
    """No legal instruction meets a constraint."""


class ProgramBuilder:
    """Takes instructions in the order in which they run; every one must be legal where it comes."""

    def __init__(
        self,
        draws: Draws,
        weights: Weights,
        size: Size,
        *,
        ext_words: int,
        read_latency: int,
        defined: Mask,
        results: Sequence[Span] = (),
    ) -> None:
        """Begin with no instruction.

        `defined` is bool[4096]; `results` are spans that earlier programs wrote and that may be read.
        """
        self.draws = draws
        self.weights = weights
        self.size = size
        self.ext_words = ext_words
        self.read_latency = read_latency
        self.instructions: list[Instruction] = []
        self.ext: list[DataRegion] = []
        self.results: list[Span] = list(results)
        self.nominal_cycles = 0
        """Of all instructions together."""
        octets = np.packbits(defined, bitorder="little").tobytes()
        self._defined = int.from_bytes(octets, "little")

    def draw_length(self) -> int:
        """Return a length as the program's size has them."""
        return self.weights.lengths.of(self.size).draw(self.draws)

    def append(self, instruction: Instruction) -> None:
        """Take an instruction. Raises ConstraintError if no generator may send it."""
        reason = fault_reason(instruction)
        overlap = partial_overlap(footprint(instruction))
        if reason or overlap:
            why = f"dst overlaps {overlap} partially" if overlap else reason
            raise ConstraintError(f"{format_instruction(instruction)}: {why}; change the constraint")
        self.instructions.append(instruction)
        self.nominal_cycles += nominal_cycles(instruction, self.read_latency)
        region = footprint(instruction).writes
        if region is not None:
            if self._defined != ALL_DEFINED:
                self._defined |= region.address_set()
            self.results.append((region.start, region.shape[-1]))

    def feed(self, span: Span, profile: Profile, exponent: int = 0) -> None:
        """Load data of a profile into a span of at most 4095 words."""
        start, length = span
        kind = self.weights.operands.external.draw(self.draws)
        source = external_start(self.draws, kind, length, self.ext_words)
        self.ext.append(DataRegion(source, length, profile, self.draws.seed(), exponent))
        self.append(Load(start, source, length))

    def require(self, region: Region) -> None:
        """Make sure that a region is defined: load from its first to its last undefined word."""
        if self._defined == ALL_DEFINED:
            return
        undefined = region.address_set() & ~self._defined
        if not undefined:
            return
        first = (undefined & -undefined).bit_length() - 1
        end = undefined.bit_length()
        while first < end:
            length = min(end - first, MAX_LENGTH)
            self.append(Load(first, self.draws.between(0, self.ext_words - length), length))
            first += length

    def require_span(self, span: Span) -> None:
        """Make sure that neighbouring words are defined."""
        self.require(vector(*span))

    def recent_result(self) -> Span | None:
        """Return the span of one of the last results, or None if there is none."""
        return self.draws.element(self.results[-REMEMBERED:]) if self.results else None
