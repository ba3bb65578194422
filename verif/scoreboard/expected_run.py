"""What one item must do, worked out on the reference machine: restarts and resets included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from refmodel.isa.instructions import Load, Store
from refmodel.machine.accesses import Accesses, joined
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import DecodedProgram, decode_program
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from sequences.run_plan import RunPlan, plan_run, reset_pulses
from sequences.stimulus import PLAIN, Stimulus
from sequences.timed_program import timed_program
from verif.bfm.check import Check

SETTLE_CYCLES = 2
"""Cycles that the harness watches after the end of a run, at least."""

CheckCounts = Mapping[Check, tuple[int, int | None]]
"""How often each check must have looked: at least, and at most (None: no limit)."""


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
        plan = RunPlan((0,), (None,))
        return ExpectedRun(result, plan, _counts(program, 1), _accesses(program, result))
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
    counts = _counts_with_resets(program, plan) if plan.is_reset else _counts(program, plan.starts)
    if stimulus.reset_first:
        pulses = 2 if stimulus.reset_gap else 1
        counts = {**counts, Check.RESET_CLEARS: (pulses * stimulus.reset_width, None)}
    if stimulus.extra_start is not None:
        lost = _lost_starts(stimulus.extra_start, plan, program.counters.cyc_total)
        under = _starts_under_reset(stimulus) if plan.is_reset else 0
        counts = {**counts, Check.START_LOST: (lost, lost), Check.RESET_WINS: (under, under)}
    rests = Check.HALTED_HOLDS if plan.reset_in_last is None else Check.IDLE_HOLDS
    counts = {**counts, rests: (counts[rests][0] + stimulus.idle_cycles, None)}
    return ExpectedRun(replace(result, stray_ext_accesses=strays), plan, counts, joined(passes))


def _lost_starts(extra: tuple[int, int], plan: RunPlan, cycles: int) -> int:
    """Return in how many cycles start is high while a pass runs and rst is low."""
    lost = 0
    for begin, cut in zip(plan.begins, plan.cuts, strict=True):
        last = begin + (cycles if cut is None else min(cut - 1, cycles))
        lost += max(0, min(extra[1], last) - max(extra[0], begin + 1) + 1)
    return lost


def _starts_under_reset(stimulus: Stimulus) -> int:
    """Return in how many cycles start and rst are high together, all of its resets being reached."""
    assert stimulus.extra_start is not None
    first, last = stimulus.extra_start
    return sum(max(0, min(last, end) - max(first, begin) + 1) for begin, end in reset_pulses(stimulus))


def _accesses(program: DecodedProgram, result: RunResult) -> Accesses:
    return program.access_plan.accesses(result.results, result.undefined_results, len(result.retires))


_EVERY_CYCLE = (
    Check.KNOWN,
    Check.PC_STAYS,
    Check.RUNNING,
    Check.COUNTER_TOTAL,
    Check.COUNTER_MM,
    Check.COUNTER_DMA,
    Check.COUNTER_VEC,
    Check.COUNTER_INST,
    Check.VALIDS_LOW,
)
_EVERY_WORD = (Check.FETCH_SAMPLES, Check.FETCH_ISSUE_TIME)
_EVERY_RETIRE = (Check.PC_ADVANCES, Check.LEGAL_RUNS)
_EVERY_READ = (Check.LOAD_REQUESTS, Check.LOAD_ADDRESSES, Check.REQUEST_BOUND, Check.RESPONSE_ASKED)
_EVERY_WRITE = (Check.STORE_WRITES, Check.STORE_ADDRESSES, Check.WRITE_BOUND)
_EVERY_START = (Check.START_HONOURED, Check.START_CLEARS)
_PC_VALUES = 1 << 16


@lru_cache(maxsize=512)
def _counts(program: DecodedProgram, starts: int) -> CheckCounts:
    """Return how often the checks look while a program runs `starts` times to its end."""
    completed = program.counters.n_inst
    opcodes = np.bincount(program.retires[:, 1], minlength=Check.ARG_MAX_TIME - Check.LOAD_TIME + 2)
    exact = {
        **dict.fromkeys(_EVERY_CYCLE, program.counters.cyc_total),
        **dict.fromkeys(_EVERY_WORD, completed + 1),
        **dict.fromkeys(_EVERY_RETIRE, completed),
        **dict.fromkeys(_EVERY_READ, sum(_lengths(program, Load))),
        **dict.fromkeys(_EVERY_WRITE, sum(_lengths(program, Store))),
        **dict.fromkeys(_EVERY_START, 1),
        **{Check(Check.LOAD_TIME + code - 1): int(opcodes[code]) for code in range(1, len(opcodes))},
        Check.PC_WRAPS: completed // _PC_VALUES,
        Check.PC_AT_END: 1,
        Check.HALT_STOPS: int(not program.fault),
        Check.FAULT_STOPS: int(program.fault),
    }
    return {
        **dict.fromkeys(Check, (0, None)),
        **{check: (count * starts, count * starts) for check, count in exact.items()},
        Check.HALTED_HOLDS: (SETTLE_CYCLES, None),
        Check.START_AFTER_FAULT: ((starts - 1) * program.fault, None),
    }


def _lengths(program: DecodedProgram, kind: type[Load | Store]) -> list[int]:
    return [each.length for each in program.instructions if isinstance(each, kind)]


def _counts_with_resets(program: DecodedProgram, plan: RunPlan) -> CheckCounts:
    """Return how often the checks look at least when rst cuts some of the passes."""
    total = program.counters.cyc_total
    cycles = sum(total if cut is None else min(cut, total) for cut in plan.cuts)
    retired = 0
    for cut in plan.cuts:
        if cut is None:
            retired += program.counters.n_inst
        else:
            retired += max(int(np.searchsorted(program.last_cycles, cut)) - 1, 0)
    return {
        **dict.fromkeys(Check, (0, None)),
        **dict.fromkeys(_EVERY_CYCLE, (cycles, cycles)),
        **dict.fromkeys((*_EVERY_WORD, *_EVERY_RETIRE), (retired, None)),
        **dict.fromkeys(_EVERY_START, (plan.starts, plan.starts)),
        Check.RESET_CLEARS: (1, None),
        Check.HALTED_HOLDS if plan.reset_in_last is None else Check.IDLE_HOLDS: (1, None),
    }
