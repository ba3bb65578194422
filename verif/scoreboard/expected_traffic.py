"""The memory traffic that a run must cause, cycle by cycle: all of its passes, up to where rst cuts each."""

from __future__ import annotations

from dataclasses import dataclass, field

from refmodel.isa.instructions import Load, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, STORE_LEAD_CYCLES
from refmodel.machine.bundle import Bundle
from sequences.run_plan import RunPlan
from sequences.stimulus import Stimulus
from sequences.timed_program import pass_timer, timed_program

Access = tuple[int, int]
"""Cycle of the run and address."""


@dataclass
class ExpectedTraffic:
    """What must cross the memory ports, in order."""

    requests: list[Access] = field(default_factory=list)
    responses: list[int] = field(default_factory=list)
    """Their cycles; those that rst dropped are left out."""
    writes: list[Access] = field(default_factory=list)


def expected_traffic(bundle: Bundle, stimulus: Stimulus, plan: RunPlan) -> ExpectedTraffic:
    """Return the traffic of a run with response delays.

    LD requests in its busy cycles 1..len whatever the answers do, and ST writes in 3..len + 2.
    """
    assert stimulus.response_delays is not None, "the harness's own memory leaves no record of its traffic"
    program = timed_program(bundle.code, bundle.read_latency, stimulus)
    due = ExpectedTraffic()
    for begin, cut in zip(plan.begins, plan.cuts, strict=True):
        end = begin + (program.counters.cyc_total if cut is None else cut)
        timer = pass_timer(program, stimulus.response_delays)
        before = [0, *program.last_cycles.tolist()]
        for instruction, last in zip(program.instructions, before, strict=False):
            first = begin + last + FETCH_CYCLES + ISSUE_CYCLES + 1
            if first > end:
                break
            if isinstance(instruction, Load):
                for word in range(min(instruction.length, end - first + 1)):
                    due.requests.append((first + word, (instruction.src + word) % EXT_ADDRESS_WORDS))
                    answer = timer.answer_cycle(first + word)
                    if answer <= end:
                        due.responses.append(answer)
            elif isinstance(instruction, Store):
                first += STORE_LEAD_CYCLES
                for word in range(min(instruction.length, end - first + 1)):
                    due.writes.append((first + word, (instruction.dst + word) % EXT_ADDRESS_WORDS))
    return due
