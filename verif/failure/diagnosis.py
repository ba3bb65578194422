"""What a traced run says: the first divergence of a program, in whichever of its passes it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from refmodel.isa.instructions import Load
from refmodel.isa.timing import busy_cycles
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.events import Event
from refmodel.machine.result import RunResult
from refmodel.machine.trace import Trace, trace_program
from sequences.directed.directed_program import DirectedProgram
from verif.bfm.check import BOUND_CHECKS, Check
from verif.divergence.divergence import Divergence
from verif.divergence.reads import ScratchpadReads
from verif.divergence.rule import BrokenRules
from verif.divergence.search import find_divergence, find_silent_divergence
from verif.scoreboard.expected_run import LOAD_SPAN_OVERHEAD
from verif.scoreboard.run_plan import RunPlan, plan_run
from verif.trace.traced_run import TracedRun

UNSEEN = "scratchpad writes were not seen: set SCRATCHPAD_WRITE to the signals of its write port"
"""A remark on chips whose write port nobody has named."""


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
    """That pass: the program's first start is 1."""


def diagnose(program: DirectedProgram, before: RunResult | None, run: TracedRun) -> Diagnosis:
    """Compare a program that ran in trace mode with the model.

    `before` is the model's state when it began, None on a fresh chip.
    """
    cycles = decode_program(program.bundle.code, program.bundle.read_latency).counters.cyc_total
    plan = plan_run(cycles, program.stimulus)
    remarks = [] if run.recorded.sees_scratchpad else [UNSEEN]
    broken = {
        name: failures
        for name, failures in run.broken_rules.items()
        if not (program.strays_expected and Check[name] in BOUND_CHECKS)
    }
    passes = run.passes()
    divergence = None
    number, trace = 0, None
    for number, trace in enumerate(_traces(program, before, plan, run), start=1):
        found = passes[number - 1] if number <= len(passes) else []
        is_last = number == plan.starts
        reset = plan.reset_in_last if is_last else None
        count = len(trace.instructions)
        reads = run.reads and run.reads.of_pass((number - 1) * count, count, is_last=is_last)
        divergence = _compare(trace, found, run, reset, broken if is_last else {}, reads, is_last=is_last)
        if divergence is not None:
            if not run.recorded.complete and divergence.found is None:
                remarks.append(f"the first {divergence.position} events agree; the rest was not kept")
                result = run.result if is_last and reset is None else None
                divergence = find_silent_divergence(trace, found, result, {})
            elif plan.starts > 1:
                remarks.append(f"in pass {number} of {plan.starts}: the program was started again")
            break
    return Diagnosis(divergence, tuple(remarks), trace, number)


def _compare(
    trace: Trace,
    found: Sequence[Event],
    run: TracedRun,
    reset: int | None,
    broken: BrokenRules,
    reads: ScratchpadReads | None,
    *,
    is_last: bool,
) -> Divergence | None:
    """Compare one pass; `broken` are the harness's failed checks where it is the last."""
    sees = run.recorded.sees_scratchpad
    divergence = find_divergence(trace, found, sees_scratchpad=sees, reset_cycle=reset)
    if divergence is None:
        result = run.result if is_last and reset is None else None
        divergence = find_silent_divergence(trace, found, result, broken, reads)
    return divergence


def _traces(
    program: DirectedProgram, before: RunResult | None, plan: RunPlan, run: TracedRun
) -> Iterator[Trace]:
    """Yield the model's trace of each pass."""
    bundle = program.bundle
    busy = None if run.load_spans is None else _load_busy(bundle, run.load_spans)
    for _ in range(plan.starts):
        trace = trace_program(bundle, before, busy)
        yield trace
        bundle, before = replace(bundle, ext=trace.ext, scratchpad=None), trace.result()


def _load_busy(bundle: Bundle, spans: Sequence[int]) -> list[int]:
    """Return the busy cycles of every LD of the program, those that random response delays gave.

    A run that left the model's path may have had fewer LDs, or more. Up to there the spans are those of the
    program's LDs in order; the others never ran as the model says, and get the time of the fixed latency.
    """
    loads = [
        each
        for each in decode_program(bundle.code, bundle.read_latency).instructions
        if isinstance(each, Load)
    ]
    seen = [span + LOAD_SPAN_OVERHEAD for span in spans[: len(loads)]]
    return [*seen, *(busy_cycles(load, bundle.read_latency) for load in loads[len(seen) :])]
