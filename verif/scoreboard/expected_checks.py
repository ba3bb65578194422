"""How often each check of the harness must have looked in a run: exactly, wherever the run alone decides it.

A check that no longer looks after a reset, or in the second pass, finds nothing any more. So all counts
follow from the schedule: from the passes of the program, and from the cycles in which the chip rests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np

from refmodel.isa.instructions import Load, Store
from refmodel.machine.decoded_program import DecodedProgram
from sequences.run_plan import RunPlan, reset_pulses
from sequences.stimulus import Stimulus
from verif.bfm.check import Check

SETTLE_CYCLES = 2
"""Cycles that the harness watches after the end of a run, at least."""

LEAD_CYCLES = 2
"""Cycles from the beginning of a run to its first start, that one included, in which the chip is as the run
before left it: halted, halted by a fault, or idle; where that run hung, rst comes before them."""

CheckCounts = Mapping[Check, tuple[int, int | None]]
"""How often each check must have looked: at least, and at most (None: no limit)."""

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
def expected_checks(program: DecodedProgram, plan: RunPlan, stimulus: Stimulus) -> CheckCounts:
    """Return the counts of a run. Stray responses are drawn by the harness and not counted here."""
    counts: Counter[Check] = Counter()
    for begin, cut in zip(plan.begins, plan.cuts, strict=True):
        _add_pass(counts, program, cut)
        counts[Check.START_LOST] += _lost_starts(stimulus, begin, cut, program.counters.cyc_total)
    counts.update(dict.fromkeys(_EVERY_START, plan.starts))
    _add_resets(counts, plan, stimulus)
    _add_rests(counts, program, plan, stimulus)
    exact = {check: (counts[check], counts[check]) for check in Check}
    if not stimulus.reset_first:
        for check, lead in (
            (Check.IDLE_HOLDS, LEAD_CYCLES + stimulus.reset_gap),
            (Check.HALTED_HOLDS, LEAD_CYCLES),
            (Check.START_AFTER_FAULT, 1),
        ):
            exact[check] = (counts[check], counts[check] + lead)
    if stimulus.stray_responses:
        return {**exact, Check.RESPONSE_IGNORED: (0, None)}
    return exact


def _add_pass(counts: Counter[Check], program: DecodedProgram, cut: int | None) -> None:
    """Add what looks in one pass, whose cycle `cut` is the first with rst (None: there is none).

    What happens at the edge that ends that cycle is the reset, so nothing retires there and no word is taken.
    """
    total, completed = program.counters.cyc_total, program.counters.n_inst
    cycles = words = retired = completed
    if _halts(program, cut):
        cycles, words = total, completed + 1
    else:
        assert cut is not None
        cycles = cut
        retired = int(np.searchsorted(program.last_cycles, cut))
        words = int(cut > 1) + int(np.searchsorted(program.last_cycles, cut - 1))
    counts.update(dict.fromkeys(_EVERY_CYCLE, cycles))
    counts.update(dict.fromkeys(_EVERY_WORD, words))
    counts.update(dict.fromkeys(_EVERY_RETIRE, retired))
    counts.update(dict.fromkeys(_EVERY_READ, _words_moved(program, Load, retired)))
    counts.update(dict.fromkeys(_EVERY_WRITE, _words_moved(program, Store, retired)))
    counts[Check.PC_WRAPS] += retired // _PC_VALUES
    opcodes = np.bincount(program.retires[:retired, 1], minlength=Check.ARG_MAX_TIME - Check.LOAD_TIME + 2)
    for code in range(1, len(opcodes)):
        counts[Check(Check.LOAD_TIME + code - 1)] += int(opcodes[code])
    if _halts(program, cut):
        counts[Check.PC_AT_END] += 1
        counts[Check.FAULT_STOPS if program.fault else Check.HALT_STOPS] += 1


def _halts(program: DecodedProgram, cut: int | None) -> bool:
    """Does a pass halt, perhaps before rst comes?"""
    return cut is None or cut > program.counters.cyc_total


def _words_moved(program: DecodedProgram, kind: type[Load | Store], retired: int) -> int:
    return sum(each.length for each in program.instructions[:retired] if isinstance(each, kind))


def _lost_starts(stimulus: Stimulus, begin: int, cut: int | None, cycles: int) -> int:
    """Return in how many cycles start is high while a pass runs and rst is low."""
    if stimulus.extra_start is None:
        return 0
    first, last = stimulus.extra_start
    end = begin + (cycles if cut is None else min(cut - 1, cycles))
    return max(0, min(last, end) - max(first, begin + 1) + 1)


def _add_resets(counts: Counter[Check], plan: RunPlan, stimulus: Stimulus) -> None:
    """Add a look for each cycle of rst. Once its first rst comes, a schedule comes to its end."""
    if stimulus.reset_first:
        counts[Check.RESET_CLEARS] += stimulus.cycles_of_reset
    for begin, end in _pulses(plan, stimulus):
        counts[Check.RESET_CLEARS] += end - begin + 1
        if stimulus.extra_start is not None:
            first, last = stimulus.extra_start
            counts[Check.RESET_WINS] += max(0, min(last, end) - max(first, begin) + 1)


def _pulses(plan: RunPlan, stimulus: Stimulus) -> list[tuple[int, int]]:
    return reset_pulses(stimulus) if plan.is_reset else []


def _add_rests(counts: Counter[Check], program: DecodedProgram, plan: RunPlan, stimulus: Stimulus) -> None:
    """Add the cycles in which the chip rests, without the first of each: it belongs to what led there."""
    if stimulus.reset_first and stimulus.reset_gap:
        counts[Check.IDLE_HOLDS] += stimulus.reset_gap - 1
    for first, last in _halted(program, plan, stimulus):
        counts[Check.HALTED_HOLDS] += max(0, last - first)
        if last in plan.begins:  # a start ends it
            counts[Check.START_AFTER_FAULT] += program.fault
            is_held = stimulus.extra_start is not None and stimulus.extra_start[0] < first == last
            counts[Check.START_HELD] += is_held
    pulses = _pulses(plan, stimulus)
    for number, (_, end) in enumerate(pulses):
        following = pulses[number + 1][0] if number + 1 < len(pulses) else None
        start = min((begin for begin in plan.begins if begin > end), default=None)
        if start is not None and (following is None or start < following):
            last = start
        else:
            last = end + SETTLE_CYCLES + stimulus.idle_cycles if following is None else following - 1
        counts[Check.IDLE_HOLDS] += max(0, last - end - 1)


def _halted(program: DecodedProgram, plan: RunPlan, stimulus: Stimulus) -> Iterator[tuple[int, int]]:
    """Yield the first and last cycle of each halt, without one in which rst is high."""
    following = [*plan.begins[1:], None]
    for begin, cut, restart in zip(plan.begins, plan.cuts, following, strict=True):
        first = begin + program.counters.cyc_total + 1
        if cut is None:
            yield first, first + SETTLE_CYCLES + stimulus.idle_cycles if restart is None else restart
        elif _halts(program, cut):
            yield first, begin + cut - 1
