"""What a traced run says: the first divergence of a program, in whichever of its passes it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from refmodel.machine.decoded_program import decode_program
from refmodel.machine.events import Event
from refmodel.machine.trace import Trace, trace_program
from sequences.directed.directed_program import DirectedProgram
from verif.divergence.divergence import Divergence
from verif.divergence.search import find_divergence, find_silent_divergence
from verif.expected_run import LOAD_SPAN_OVERHEAD
from verif.program_series import state_after
from verif.run_plan import RunPlan, plan_run
from verif.traced_run import TracedRun


@dataclass(frozen=True)
class Diagnosis:
    """Where a program leaves the model's path, and what limits that answer."""

    divergence: Divergence | None
    """None if nothing differs."""
    remarks: tuple[str, ...] = ()
    """What could not be seen, and in which pass it was if the program was started more than once."""


def diagnose(series: Sequence[DirectedProgram], run: TracedRun) -> Diagnosis:
    """Compare the last program of a series, which ran in trace mode, with the model.

    Raises ValueError when random response delays do not fit the program's LDs, so that nothing can be said
    of time.
    """
    program = series[-1]
    plan = plan_run(
        decode_program(program.bundle.code, program.bundle.read_latency).counters.cyc_total, program.stimulus
    )
    remarks = (
        []
        if run.recorded.sees_scratchpad
        else ["scratchpad writes were not seen: set SCRATCHPAD_WRITE to the signals of its write port"]
    )
    passes = run.passes()
    divergence = None
    for number, trace in enumerate(_traces(series, plan, run), start=1):
        found = passes[number - 1] if number <= len(passes) else []
        is_last = number == plan.starts
        reset = plan.reset_in_last if is_last else None
        divergence = _compare(trace, found, run, reset, is_last)
        if divergence is not None:
            if not run.recorded.complete and divergence.found is None:
                remarks.append(f"the first {divergence.position} events agree; the rest was not kept")
                divergence = None
            elif plan.starts > 1:
                remarks.append(f"in pass {number} of {plan.starts}: the program was started again")
            break
    return Diagnosis(divergence, tuple(remarks))


def _compare(
    trace: Trace, found: Sequence[Event], run: TracedRun, reset: int | None, is_last: bool
) -> Divergence | None:
    sees = run.recorded.sees_scratchpad
    divergence = find_divergence(trace, found, sees_scratchpad=sees, reset_cycle=reset)
    if divergence is None and is_last:
        result = None if reset is not None else run.result
        divergence = find_silent_divergence(trace, found, result, run.broken_rules)
    return divergence


def _traces(series: Sequence[DirectedProgram], plan: RunPlan, run: TracedRun) -> Sequence[Trace]:
    """Return the model's trace of each pass of the last program."""
    bundle, before = series[-1].bundle, state_after(series[:-1])
    busy = None if run.load_spans is None else [span + LOAD_SPAN_OVERHEAD for span in run.load_spans]
    traces: list[Trace] = []
    for _ in range(plan.starts):
        trace = trace_program(bundle, before, busy)
        traces.append(trace)
        bundle, before = replace(bundle, ext=trace.ext, scratchpad=None), trace.result()
    return traces
