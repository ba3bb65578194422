"""Proofs about what happens around a program; FETCH of pc 0 is cycle 1, its ISSUE cycle 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refmodel.isa.encoding import encode
from refmodel.isa.instructions import ArgMax, Illegal, Load, Softmax
from sequences.coverage_proofs.proof import Proof, of_code, program, single
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import ResponseDelays, Stimulus

CUT = 20
"""A cycle in which SM is busy."""

WIDTH = 4
AFTER = CUT + WIDTH

DELAY = 30
"""LD of one word requests in cycle 3 and is answered so many cycles later."""


def surroundings_proofs() -> Iterator[Proof]:
    """Yield them."""
    yield single(
        "reset_width",
        ("after start", "once", "8"),
        _run(Stimulus(reset_cycle=CUT, reset_width=8)),
        _run(Stimulus(reset_cycle=CUT, reset_width=7)),
        _run(Stimulus(reset_cycle=CUT, reset_width=8, reset_gap=3)),
        _run(Stimulus(reset_first=True, reset_width=8)),
        _run(Stimulus(reset_cycle=5000, reset_width=8)),
    )
    yield single(
        "reset_gap",
        ("before start", "2..15"),
        _run(Stimulus(reset_first=True, reset_gap=2)),
        _run(Stimulus(reset_first=True, reset_gap=1)),
        _run(Stimulus(reset_first=True)),
        _run(Stimulus(reset_cycle=CUT, reset_gap=2)),
    )
    yield single(
        "start_at_reset",
        ("under an rst and in the cycle after", "2..7"),
        _met((AFTER - 1, AFTER)),
        _met((AFTER - 1, AFTER - 1)),
        _met((AFTER, AFTER)),
        _met((AFTER + 1, AFTER + 1)),
        _met((CUT - 1, CUT - 1)),
    )
    yield single(
        "start_at_reset",
        ("in the cycle after an rst, not before", "2..7"),
        _met((AFTER, AFTER)),
        _met((AFTER + 1, AFTER + 1)),
        _met((AFTER - 1, AFTER)),
    )
    faulty = encode(Illegal(9))
    yield single(
        "long_rest",
        ("a fault", "64..1023"),
        of_code([faulty], Stimulus(reset_first=True, idle_cycles=64)),
        of_code([faulty], Stimulus(reset_first=True, idle_cycles=63)),
        of_code([0], Stimulus(reset_first=True, idle_cycles=64)),
        _run(Stimulus(reset_cycle=CUT, idle_cycles=64)),
    )
    yield from _delayed()
    yield single(
        "stray_response",
        ("AMAX",),
        program([ArgMax(0, 0, 60)], stimulus=Stimulus(reset_first=True, stray_responses=1)),
        program([ArgMax(0, 0, 60)]),
        program([Softmax(100, 0, 60)], stimulus=Stimulus(reset_first=True, stray_responses=1)),
    )
    # Busy cycle 1 is cycle 3: two reads are under way in cycle 4, and until the first is answered.
    yield single(
        "start_lost_outstanding",
        ("2..7",),
        _load(Stimulus(extra_start=(4, 4))),
        _load(Stimulus(extra_start=(3, 3))),
        _load(Stimulus(extra_start=(13, 13))),
        _load(Stimulus(extra_start=(4, 4), reset_cycle=4)),
    )


def _delayed() -> Iterator[Proof]:
    delays = ResponseDelays(seed=1, longest=DELAY, shortest=DELAY)
    run = Stimulus(response_delays=delays)
    yield single(
        "driven_run",
        ("rst that drops reads",),
        _load(replace(run, reset_cycle=CUT)),
        _load(replace(run, reset_cycle=3 + DELAY + 2)),
        _load(replace(run, reset_cycle=1)),
        _load(run),
        _load(Stimulus(reset_cycle=CUT)),
    )
    yield single(
        "driven_run",
        ("a lost start",),
        _load(replace(run, extra_start=(CUT, CUT))),
        _load(replace(run, extra_start=(100, 100))),
        _load(Stimulus(extra_start=(8, 8))),
    )


def _load(stimulus: Stimulus) -> DirectedProgram:
    return program([Load(0, 0, 2)], stimulus=stimulus)


def _run(stimulus: Stimulus) -> DirectedProgram:
    return program([Softmax(100, 0, 4)], stimulus=stimulus)


def _met(start: tuple[int, int]) -> DirectedProgram:
    return _run(Stimulus(reset_cycle=CUT, reset_width=WIDTH, extra_start=start))
