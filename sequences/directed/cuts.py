"""rst in each phase of each unit, followed by the same instruction and by others; start in each phase of LD.

`resets.py` has rst in every busy cycle, always followed by a tour, which begins with LD.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.isa.instructions import Instruction, Load, MatMul, Requantize, Store
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, busy_cycles
from sequences.directed.directed_program import DirectedProgram, bundle_of, full_scratchpad, random_words
from sequences.directed.resets import UNDER_RESET
from sequences.stimulus import Stimulus

BUSY_CYCLES: dict[str, tuple[int, ...]] = {
    "ld": (1, 10, 15, 21),
    "st": (1, 4, 14),
    "mm": (10, 30, 50, 65),
    "rq": (1, 5, 12),
    "sm": (3, 15, 40, 70),
    "vadd": (7, 22),
    "amax": (4, 12, 13),
}
"""A busy cycle in each phase of `UNDER_RESET`; the read latency is 8."""

WAITING = Load(100, 10, 3), 5
"""LD that has made its requests and has no response yet."""

LATENCY = 255
OUTSTANDING = (1, 5, 30, 100)
"""Reads under way when rst comes."""


def cut_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield pairs: a program that rst cuts, and one that begins with some instruction; then lost starts."""
    generator = np.random.default_rng([seed, 17])
    cases = [(UNDER_RESET[unit], cycle) for unit, cycles in BUSY_CYCLES.items() for cycle in cycles]
    for number, (instruction, busy) in enumerate((*cases, WAITING)):
        other = UNDER_RESET["rq" if isinstance(instruction, Load) else "ld"]
        if isinstance(instruction, Requantize):
            other = UNDER_RESET["mm"]
        for name, following in (("same", instruction), ("another", other)):
            yield from _pair(generator, f"cuts/{number}-{name}", instruction, busy, following)
    for reads in OUTSTANDING:
        for unit in ("ld", "st", "rq"):
            long = Load(100, 0, max(OUTSTANDING))
            yield from _pair(generator, f"cuts/{reads}-reads-{unit}", long, reads, UNDER_RESET[unit], LATENCY)
    code = [*UNDER_RESET.values(), WAITING[0]]
    cycles = sum(FETCH_CYCLES + ISSUE_CYCLES + busy_cycles(each, 8) for each in code)
    bundle = bundle_of(code, ext=random_words(generator, 300), scratchpad=full_scratchpad(generator))
    yield DirectedProgram("cuts/start-throughout", bundle, Stimulus(extra_start=(1, cycles)))
    waiting = bundle_of(
        [Load(100, 0, max(OUTSTANDING))], ext=random_words(generator, 128), read_latency=LATENCY
    )
    yield DirectedProgram("cuts/start-with-reads", waiting, Stimulus(extra_start=(1, max(OUTSTANDING))))


def _pair(
    generator: np.random.Generator,
    name: str,
    instruction: Instruction,
    busy: int,
    following: Instruction,
    latency: int = 8,
) -> Iterator[DirectedProgram]:
    """Yield an instruction that rst cuts in a busy cycle, and a program with what it may disturb."""
    reset = Stimulus(reset_cycle=FETCH_CYCLES + ISSUE_CYCLES + busy)
    memory, scratchpad = random_words(generator, 128), full_scratchpad(generator)
    cut = bundle_of([instruction], ext=memory, scratchpad=scratchpad, read_latency=latency)
    yield DirectedProgram(name, cut, reset)
    check: list[Instruction] = [following, Store(1000, 300, 40), MatMul(2000, 0, 100, 2, 2, 2)]
    yield DirectedProgram(f"{name}-then", bundle_of(check, ext=random_words(generator, 128)))
