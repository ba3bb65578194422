"""The order in which series of programs are simpler than others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from refmodel.isa.encoding import LAYOUT, decode, encode
from refmodel.isa.instructions import Illegal
from refmodel.machine.bundle import DEFAULT_EXT_WORDS, DEFAULT_READ_LATENCY
from refmodel.machine.result import WordArray
from sequences.directed.directed_program import DirectedProgram
from sequences.run_plan import plan_run
from sequences.stimulus import ResponseDelays, Stimulus
from sequences.timed_program import timed_program

Series = tuple[DirectedProgram, ...]
"""Programs that run one after another on a fresh chip; the last is the one that fails."""


class Size(NamedTuple):
    """How large a series is: one is smaller if it is in the first of these in which they differ."""

    programs: int
    unset_scratchpads: int
    """Programs that find in the scratchpad what was left there."""
    words: int
    """Instruction words, the HALTs at the ends included."""
    surroundings: int
    """Whatever happens around the programs, and read latencies and limits that are not the usual ones."""
    stimulus: int
    """The sum of the numbers that say when it happens."""
    cycles: int
    """By the model, so lengths and tiles are in it."""
    operands: int
    """The sum of all fields of the instructions, and the reserved bits that are set."""
    data_words: int
    """Words of the memories that are not 0 at the start."""
    data: int
    """The sum of their sizes, as `magnitude` has it."""


def size_of(series: Sequence[DirectedProgram]) -> Size:
    """Return the size of a series."""
    images = [
        image
        for program in series
        for image in (program.bundle.ext, program.bundle.scratchpad)
        if image is not None
    ]
    return Size(
        programs=len(series),
        unset_scratchpads=sum(program.bundle.scratchpad is None for program in series),
        words=sum(len(program.bundle.code) for program in series),
        surroundings=sum(map(_surroundings, series)),
        stimulus=sum(_numbers(program.stimulus) for program in series),
        cycles=sum(map(cycles_of, series)),
        operands=sum(_operands(word) for program in series for word in program.bundle.code),
        data_words=sum(int(np.count_nonzero(image)) for image in images),
        data=sum(magnitude(image) for image in images),
    )


def cycles_of(program: DirectedProgram) -> int:
    """Return how many cycles a program takes, all of its passes together."""
    cycles = timed_program(
        program.bundle.code, program.bundle.read_latency, program.stimulus
    ).counters.cyc_total
    plan = plan_run(cycles, program.stimulus)
    return cycles * plan.starts


def magnitude(words: WordArray) -> int:
    """Return twice the sum of the absolute values of signed words, and 1 more for each that is negative."""
    signed = words.astype(np.uint32).view(np.int32).astype(np.int64)
    return int(np.where(signed < 0, -2 * signed + 1, 2 * signed).sum())


def _surroundings(program: DirectedProgram) -> int:
    stimulus = program.stimulus
    return sum(
        [
            stimulus.reset_first,
            stimulus.reset_cycle is not None,
            stimulus.extra_start is not None,
            stimulus.response_delays is not None,
            stimulus.reset_width > 1,
            stimulus.reset_gap > 0,
            stimulus.stray_responses > 0,
            stimulus.idle_cycles > 0,
            stimulus.cycle_limit is not None,
            program.bundle.read_latency != DEFAULT_READ_LATENCY,
            program.bundle.ext_words != DEFAULT_EXT_WORDS,
        ]
    )


def _numbers(stimulus: Stimulus) -> int:
    delays = stimulus.response_delays or ResponseDelays(0, 1)
    numbers = [delays.seed, delays.longest, delays.shortest, stimulus.reset_cycle or 0]
    numbers += [stimulus.reset_width, stimulus.reset_gap, stimulus.stray_responses, stimulus.idle_cycles]
    return sum([*numbers, *(stimulus.extra_start or ())])


def _operands(word: int) -> int:
    instruction = decode(word)
    if isinstance(instruction, Illegal):
        return instruction.opcode + (word ^ encode(instruction)).bit_count()
    fields = sum(int(getattr(instruction, field.operand)) for field in LAYOUT[type(instruction)])
    return fields + (word ^ encode(instruction)).bit_count()
