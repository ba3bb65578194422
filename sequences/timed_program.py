"""A program as the environment times it: how long LDs are busy when their reads are delayed."""

from __future__ import annotations

from functools import lru_cache

from refmodel.isa.instructions import Load
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, busy_cycles
from refmodel.machine.decoded_program import (
    DecodedProgram,
    decode_program,
    with_load_busy,
    wrapped_program,
)
from sequences.response_timing import ResponseTimer
from sequences.run_plan import reset_pulses
from sequences.stimulus import ResponseDelays, Stimulus

LOAD_SPAN_OVERHEAD = 2
"""Busy cycles of an LD beyond those from its first request to its last response (docs/isa.md, "Time")."""


def timed_program(code: tuple[int, ...], read_latency: int, stimulus: Stimulus) -> DecodedProgram:
    """Return the decoded program with the cycles that one pass takes; every pass takes the same.

    None of it depends on what the chip did: an LD requests in its busy cycles 1..len (docs/isa.md), and the
    answers follow from the requests alone. Of an endless program it holds all up to the last rst.
    """
    program = decode_program(code, read_latency)
    pulses = reset_pulses(stimulus)
    if program.endless and pulses:
        program = wrapped_program(program, pulses[-1][0])
    if stimulus.response_delays is None:
        return program
    return _delayed(program, read_latency, stimulus.response_delays)


@lru_cache(maxsize=512)
def _delayed(program: DecodedProgram, read_latency: int, delays: ResponseDelays) -> DecodedProgram:
    timer = pass_timer(program, delays)
    front = FETCH_CYCLES + ISSUE_CYCLES
    cycle = 0
    load_busy = []
    for instruction in program.instructions:
        first = cycle + front + 1
        busy = busy_cycles(instruction, read_latency)
        if isinstance(instruction, Load):
            answers = [timer.answer_cycle(first + word) for word in range(instruction.length)]
            busy = answers[-1] - first + LOAD_SPAN_OVERHEAD
            load_busy.append(busy)
        cycle += front + busy
    return with_load_busy(program, load_busy)


def pass_timer(program: DecodedProgram, delays: ResponseDelays) -> ResponseTimer:
    """Return the timer of the answers to a pass from its first request on."""
    return ResponseTimer(delays, [each.length for each in program.instructions if isinstance(each, Load)])
