"""Random programs: how fast they and what they should do are made, and how fast the harness runs them."""

from __future__ import annotations

import time
from pathlib import Path

from refmodel.machine.machine import Machine
from sequences.random_programs import random_programs
from verif.simulation.bare_run import measure_bare

SEED, PROGRAMS = 1, 60
"""A set of its own, so that nothing of it is cached when it is made for the first time."""

ROUNDS = 10
"""How often the bare harness runs each of them."""


class RandomWorkload:
    """Takes its samples from sets of default random programs; no set is made twice."""

    def __init__(self) -> None:
        """Begin with the first set."""
        self._sets = 0

    def generation_and_model(self) -> float:
        """Return the cycles of a new set for each second that making and modelling it takes."""
        first = self._sets * PROGRAMS
        self._sets += 1
        machine, cycles = Machine(), 0
        began = time.perf_counter()
        for program in random_programs(SEED, range(first, first + PROGRAMS)):
            cycles += machine.run(program.bundle()).counters.cyc_total
        return cycles / (time.perf_counter() - began)

    def bare_run(self, simulator: str, directory: Path) -> float:
        """Return the speed of the harness alone, in cycles/s, on the first set."""
        bundles = [program.bundle() for program in random_programs(SEED, range(PROGRAMS))]
        return measure_bare(simulator, bundles, ROUNDS, directory).cycles_per_second
