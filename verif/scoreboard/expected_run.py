"""What one item must do, worked out on the reference machine: restarts and resets included."""

from __future__ import annotations

from dataclasses import dataclass, replace

from refmodel.machine.accesses import Accesses, joined
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import DecodedProgram, decode_program
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from sequences.run_plan import RunPlan, plan_run
from sequences.stimulus import PLAIN, Stimulus
from sequences.timed_program import timed_program
from verif.scoreboard.expected_checks import CheckCounts, expected_checks

PLAIN_PLAN = RunPlan((0,), (None,))
"""One pass, which halts."""


@dataclass(frozen=True, eq=False)
class ExpectedRun:
    """The model's answer to one item."""

    result: RunResult
    plan: RunPlan
    check_counts: CheckCounts
    accesses: Accesses
    """How the instructions that complete use the memories, those of all passes in order."""

    @property
    def is_reset(self) -> bool:
        """Does rst come while the run lasts?"""
        return self.plan.is_reset


def expected_run(machine: Machine, bundle: Bundle, stimulus: Stimulus) -> ExpectedRun:
    """Run an item on the model, whose scratchpad goes on from the item before. Raises UninitializedRead."""
    if stimulus is PLAIN:
        program = decode_program(bundle.code, bundle.read_latency)
        result = machine.run(bundle)
        counts = expected_checks(program, PLAIN_PLAN, stimulus)
        return ExpectedRun(result, PLAIN_PLAN, counts, _accesses(program, result))
    program = timed_program(bundle.code, bundle.read_latency, stimulus)
    plan = plan_run(program.counters.cyc_total, stimulus)
    strays, passes = 0, []
    ext_known = None
    for cut in plan.cuts:
        if cut is None:
            result = machine.run(bundle, program, ext_known)
        else:
            result = machine.run_until_reset(bundle, cut, program, ext_known)
        strays += result.stray_ext_accesses
        passes.append(_accesses(program, result))
        bundle = replace(bundle, ext=result.ext, scratchpad=None)
        ext_known = result.ext_defined
    counts = expected_checks(program, plan, stimulus)
    return ExpectedRun(replace(result, stray_ext_accesses=strays), plan, counts, joined(passes))


def _accesses(program: DecodedProgram, result: RunResult) -> Accesses:
    return program.access_plan.accesses(result.results, result.undefined_results, len(result.retires))
