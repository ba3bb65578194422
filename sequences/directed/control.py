"""Starts: again without reset, while busy, held, after a fault; and a scratchpad that lives on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from refmodel.isa.encoding import encode
from refmodel.isa.instructions import Illegal, Instruction, Load, Store, VectorAdd
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from sequences.directed.directed_program import DirectedProgram, bundle_of, random_words, tour, words
from sequences.stimulus import Stimulus


def control_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield the programs, in an order that matters: some use what the one before left in the scratchpad."""
    generator = np.random.default_rng([seed, 8])
    good = tour(generator)
    end = decode_program(good.code, good.read_latency).counters.cyc_total

    yield DirectedProgram("control/reset-first", good, Stimulus(reset_first=True))
    yield DirectedProgram("control/again-without-reset", replace(good, scratchpad=None))
    keep: list[Instruction] = [Store(0, 0, 400)]
    yield DirectedProgram("control/scratchpad-lives-on", bundle_of(keep))
    yield DirectedProgram("control/scratchpad-survives-reset", bundle_of(keep), Stimulus(reset_first=True))
    faulty = replace(good, code=(*good.code[:3], encode(Illegal(9))))
    yield DirectedProgram("control/fault", faulty)
    yield DirectedProgram("control/after-fault-without-reset", good)
    yield DirectedProgram("control/code-unchanged", replace(good, ext=random_words(generator, 128)))

    while_busy = Stimulus(extra_start=(1, end))
    yield DirectedProgram("control/start-while-busy", good, while_busy)
    yield DirectedProgram("control/start-in-fetch", good, Stimulus(extra_start=(1, 1)))
    yield DirectedProgram("control/start-in-issue", good, Stimulus(extra_start=(2, 2)))
    yield DirectedProgram("control/start-in-issue-of-halt", good, Stimulus(extra_start=(end, end)))
    yield DirectedProgram(
        "control/start-in-first-halted-cycle", good, Stimulus(extra_start=(end + 1, end + 1))
    )
    yield DirectedProgram("control/start-later", good, Stimulus(extra_start=(end + 5, end + 5)))
    yield DirectedProgram("control/held-start", _accumulate(), Stimulus(extra_start=(1, 200)))
    yield DirectedProgram("control/held-start-over-halt", bundle_of([]), Stimulus(extra_start=(1, 12)))
    yield DirectedProgram("control/held-start-over-fault", faulty, Stimulus(extra_start=(1, end)))
    yield DirectedProgram("control/good-program-afterwards", good)


def _accumulate() -> Bundle:
    """Return a program whose result tells how often it ran: it adds what it loads to what it stored."""
    instructions: list[Instruction] = [Load(0, 0, 4), Load(8, 4, 4), VectorAdd(0, 0, 8, 4), Store(0, 0, 4)]
    return bundle_of(instructions, ext=words(range(1, 9)))
