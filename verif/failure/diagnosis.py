"""What a traced run says: the first divergence of a program, in whichever of its passes it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from refmodel.isa.instructions import Load
from refmodel.machine.decoded_program import DecodedProgram
from refmodel.machine.events import Event, Request
from refmodel.machine.machine import Machine
from refmodel.machine.result import RETIRE_COLUMNS, RunResult
from refmodel.machine.trace import Trace, trace_program
from sequences.directed.directed_program import DirectedProgram
from sequences.run_plan import RunPlan, plan_run
from sequences.timed_program import timed_program
from verif.bfm.check import BOUND_CHECKS
from verif.divergence.difference import Difference
from verif.divergence.divergence import Divergence
from verif.divergence.reads import ScratchpadReads
from verif.divergence.rule import BrokenRules
from verif.divergence.search import (
    find_divergence,
    find_request_divergence,
    find_silent_divergence,
    find_start_divergence,
    with_first_sign,
)
from verif.divergence.starts import late_start, lost_start, start_too_many
from verif.trace.traced_run import TracedRun

UNSEEN = "scratchpad writes were not seen: set SCRATCHPAD_WRITE to the signals of its write port"
"""A remark on chips whose write port nobody has named."""

_BOUNDS = {check.name for check in BOUND_CHECKS}


@dataclass(frozen=True)
class Diagnosis:
    """Where a program leaves the model's path, and what limits that answer."""

    divergence: Divergence | None
    """None if nothing differs."""
    remarks: tuple[str, ...] = ()
    """What could not be seen, and in which pass it was if the program was started more than once."""
    trace: Trace | None = None
    """The model's, of the pass in which it diverges."""
    start: int = 1
    """The pass in which it shows: the program's first start is 1, and 0 is before it."""


def diagnose(program: DirectedProgram, before: RunResult | None, run: TracedRun) -> Diagnosis:
    """Compare a program that ran in trace mode with the model.

    `before` is the model's state when it began, None on a fresh chip.
    """
    timed = timed_program(program.bundle.code, program.bundle.read_latency, program.stimulus)
    plan = plan_run(timed.counters.cyc_total, program.stimulus)
    remarks = [] if run.recorded.sees_scratchpad else [UNSEEN]
    broken = {
        name: failures
        for name, failures in run.broken_rules.items()
        if not (program.strays_expected and name in _BOUNDS)
    }
    passes, requests, begins = run.passes(), run.recorded.requests(), run.recorded.begins()
    divergence, last, logged = None, None, 0
    for number, trace in enumerate(_traces(program, before, plan, timed), start=1):
        start = _start_difference(number, last, begins, plan.begins) if run.recorded.complete else None
        if start is not None:
            shown = last or trace
            return Diagnosis(find_start_divergence(shown, start), tuple(remarks), shown, number - 1)
        found = passes[number - 1] if number <= len(passes) else []
        is_last = number == plan.starts
        reset = plan.cuts[number - 1]
        requested = requests[number - 1] if number <= len(requests) else []
        completed = len(trace.instructions)
        if reset is not None:
            completed = int(np.searchsorted(timed.last_cycles, reset))
        reads = run.reads and run.reads.of_pass(logged, completed, is_last=is_last)
        logged += completed
        rules = broken if is_last else {}
        divergence = _compare(trace, found, requested, run, reset, rules, reads, is_last=is_last)
        last = trace
        if divergence is not None:
            if plan.starts > 1:
                message = f"in pass {number} of {plan.starts}, {divergence.message}"
                divergence = replace(divergence, message=message)
            break
    assert last is not None, "a program is started once at least"
    if divergence is None and len(begins) > plan.starts:
        start = start_too_many(number + 1, last, begins[number] - begins[number - 1])
        divergence = find_start_divergence(last, start)
    if not run.recorded.complete:
        remarks.append(f"the first {sum(map(len, passes))} events are known; the rest was not kept")
    return Diagnosis(divergence, tuple(remarks), last, number)


def _start_difference(
    number: int, before: Trace | None, begins: Sequence[int], due: Sequence[int]
) -> Difference | None:
    """Return what is wrong with the start of a pass, None if nothing is.

    `before` is the pass before it; `begins` are the cycles of the starts that were honoured, `due` those of
    the starts that must be.
    """
    if before is None:
        return None if begins else lost_start(number, None, 0)
    cycle = due[number - 1] - due[number - 2]
    if number > len(begins):
        return lost_start(number, before, cycle)
    found = begins[number - 1] - begins[number - 2]
    return late_start(number, before, cycle, found) if found != cycle else None


def _compare(
    trace: Trace,
    found: Sequence[Event],
    requests: Sequence[Request],
    run: TracedRun,
    reset: int | None,
    broken: BrokenRules,
    reads: ScratchpadReads | None,
    *,
    is_last: bool,
) -> Divergence | None:
    """Compare one pass; `broken` are the harness's failed checks where it is the last."""
    sees, complete = run.recorded.sees_scratchpad, run.recorded.complete
    divergence = find_divergence(trace, found, sees_scratchpad=sees, reset_cycle=reset)
    request = find_request_divergence(trace, found, requests, reset)
    if not complete:  # what is missing was perhaps not kept
        divergence, request = (each and (each if each.found else None) for each in (divergence, request))
    if request is not None and (divergence is None or request.cycle < divergence.cycle):
        divergence = request
    if divergence is None:
        result = run.result if is_last and reset is None else None
        return find_silent_divergence(trace, found, result, broken, reads)
    # The cycles of the checks are those of some pass: of this one for certain where it is the only one.
    is_only = len(run.recorded.begins()) == 1
    return with_first_sign(trace, divergence, broken) if broken and is_only else divergence


def _traces(
    program: DirectedProgram, before: RunResult | None, plan: RunPlan, timed: DecodedProgram
) -> Iterator[Trace]:
    """Yield the model's trace of each pass, as if rst cut none; what it leaves is as rst leaves it."""
    bundle = program.bundle
    loads = timed.retires[:, RETIRE_COLUMNS.index("opcode")] == Load.opcode
    load_busy = timed.retires[loads, RETIRE_COLUMNS.index("busy_dma")].tolist()
    for cut in plan.cuts:
        trace = trace_program(bundle, before, load_busy)
        yield trace
        if cut is None:
            before = trace.result()
        else:
            machine = Machine()
            if before is not None:
                machine.resume(before)
            before = machine.run_until_reset(bundle, cut, timed)
        bundle = replace(bundle, ext=before.ext, scratchpad=None)
