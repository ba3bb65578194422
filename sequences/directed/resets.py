"""rst in every kind of cycle of every unit, each followed by a good program."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import (
    ArgMax,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.timing import busy_cycles
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)
from sequences.stimulus import MAX_RESET_WIDTH, Stimulus

BEFORE = Load(0, 0, 4)
"""Completes before the instruction that is cut; what it wrote must stay."""

UNDER_RESET: dict[str, Instruction] = {
    "ld": Load(100, 10, 12),
    "st": Store(0, 200, 12),
    "mm": MatMul(1000, 0, 100, 3, 6, 4, lda=6, ldb=4, ldc=4),
    "rq": Requantize(1000, 0, 10, 9_000_000, 40),
    "sm": Softmax(1000, 0, 10),
    "vadd": VectorAdd(1000, 0, 100, 10),
    "amax": ArgMax(1000, 0, 10),
}

FRONT_CYCLES = {"fetch": 1, "issue": 2}
"""Cycles of an instruction before its first busy one."""


def reset_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield pairs: a program that rst cuts in one cycle, and a good one without another reset."""
    generator = np.random.default_rng([seed, 9])
    begin = _cycles(BEFORE)
    for unit, instruction in UNDER_RESET.items():
        instructions = [BEFORE, instruction]
        for moment, cycle in _moments(instruction):
            bundle = bundle_of(
                instructions, ext=random_words(generator, 64), scratchpad=full_scratchpad(generator)
            )
            yield DirectedProgram(f"resets/{unit}-{moment}", bundle, Stimulus(reset_cycle=begin + cycle))
            yield DirectedProgram(f"resets/{unit}-{moment}-then-good", tour(generator))
    halt = begin + len(FRONT_CYCLES)
    for moment, cycle in (("issue-of-halt", halt), ("halted", halt + 1), ("long-after", halt + 10)):
        bundle = bundle_of([BEFORE], ext=random_words(generator, 64), scratchpad=full_scratchpad(generator))
        yield DirectedProgram(f"resets/{moment}", bundle, Stimulus(reset_cycle=cycle))
        yield DirectedProgram(f"resets/{moment}-then-good", tour(generator))
    bundle = bundle_of([BEFORE, Illegal(9)], ext=random_words(generator, 64))
    for moment, cycle in (("issue-of-bad-opcode", halt), ("halted-by-fault", halt + 1)):
        yield DirectedProgram(f"resets/{moment}", bundle, Stimulus(reset_cycle=cycle))
        yield DirectedProgram(f"resets/{moment}-then-good", tour(generator))
    for name, end in (("halt", []), ("fault", [Illegal(9)])):
        for after in (1, 2, 9):
            cycle = halt + after
            bundle = bundle_of(
                [BEFORE, *end], ext=random_words(generator, 64), scratchpad=full_scratchpad(generator)
            )
            wins = Stimulus(
                reset_cycle=cycle, reset_width=min(after, MAX_RESET_WIDTH), extra_start=(cycle, cycle)
            )
            yield DirectedProgram(f"resets/against-start-{after}-after-{name}", bundle, wins)
            yield DirectedProgram(f"resets/against-start-{after}-after-{name}-then-good", tour(generator))
    both = Stimulus(reset_cycle=halt + 5, extra_start=(1, halt + 5))
    bundle = bundle_of([BEFORE], ext=random_words(generator, 64), scratchpad=full_scratchpad(generator))
    yield DirectedProgram("resets/against-held-start", bundle, both)
    yield DirectedProgram("resets/against-held-start-then-good", tour(generator))


def _moments(instruction: Instruction) -> Iterator[tuple[str, int]]:
    """Yield every busy cycle of an instruction, and FETCH and ISSUE, by its cycle from its own FETCH on."""
    yield from FRONT_CYCLES.items()
    for busy in range(1, busy_cycles(instruction, DEFAULT_READ_LATENCY) + 1):
        yield f"busy-{busy}", len(FRONT_CYCLES) + busy


def _cycles(instruction: Instruction) -> int:
    return len(FRONT_CYCLES) + busy_cycles(instruction, DEFAULT_READ_LATENCY)
