"""Monitors that are broken on purpose, as functions: what each passes on of a run that it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.result import RunResult
from verif.bfm.check import Check
from verif.bfm.observation import Observation

Tampering = Callable[[int, Observation], Iterable[tuple[int, Observation]]]
"""From the number of a run and what was seen of it to what is published."""

INVENTED = 1000
"""How far behind the run it saw the one is that nobody asked for."""


def intact(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Pass it on, so that the others fail for their own reason alone."""
    return [(run, seen)]


def losing(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Lose the result."""
    del run, seen
    return []


def repeating(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Pass the result on twice."""
    return [(run, seen), (run, seen)]


def inventing(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Pass on a result that nobody asked for too."""
    return [(run, seen), (run + INVENTED, seen)]


def raising(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Raise RuntimeError."""
    raise RuntimeError(f"a monitor that fails in run {run} after {seen.starts} starts")


def wrong_word(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Flip one bit of one external word."""
    ext = seen.result.ext.copy()
    ext[77] ^= 1 << 31
    return _with_result(run, seen, replace(seen.result, ext=ext))


def wrong_scratchpad(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Flip one bit of one scratchpad word."""
    scratchpad = seen.result.scratchpad.copy()
    scratchpad[4095] ^= 1
    return _with_result(run, seen, replace(seen.result, scratchpad=scratchpad))


def unknown_word(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that a scratchpad word holds an X."""
    defined = seen.result.defined.copy()
    defined[100] = False
    return _with_result(run, seen, replace(seen.result, defined=defined))


def unknown_external_word(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that an external word holds an X."""
    defined = np.ones(len(seen.result.ext), np.bool_)
    defined[3] = False
    return _with_result(run, seen, replace(seen.result, ext_defined=defined))


def wrong_counter(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Count one more."""
    counters = replace(seen.result.counters, cyc_vec=seen.result.counters.cyc_vec + 1)
    return _with_result(run, seen, replace(seen.result, counters=counters))


def wrong_busy(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Move a busy cycle from one instruction to another: the counters are right."""
    retires = seen.result.retires.copy()
    vector = np.flatnonzero(retires[:, 4])
    retires[vector[0], 4] -= 1
    retires[vector[1], 4] += 1
    return _with_result(run, seen, replace(seen.result, retires=retires))


def wrong_retire(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Drop a retired instruction from the log."""
    return _with_result(run, seen, replace(seen.result, retires=seen.result.retires[:-1]))


def wrong_signature(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Change a write that the end does not show."""
    return _with_accesses(run, seen, signatures=_changed(seen.accesses.completed.signatures))


def extra_write(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Add a write to an instruction."""
    return _with_accesses(run, seen, writes=_changed(seen.accesses.completed.writes))


def missing_read(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Take all reads from an instruction."""
    return _with_accesses(run, seen, reads=seen.accesses.completed.reads * np.array([1, 0, 1, 1, 1]))


def unknown_write(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that an X was written."""
    return _with_accesses(run, seen, known=np.array([True, False, True, True, True]))


def write_outside(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that something was written outside any instruction."""
    return [(run, replace(seen, accesses=replace(seen.accesses, outside_writes=1)))]


def read_outside(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that the scratchpad was read outside any instruction."""
    return [(run, replace(seen, accesses=replace(seen.accesses, outside_reads=2)))]


def wrong_status(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that there was a fault."""
    return _with_result(run, seen, replace(seen.result, fault=True))


def unknown_output(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that a port is X at the end."""
    return [(run, replace(seen, unknown_outputs=("n_inst",)))]


def idle_check(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that a harness check never looked."""
    checked = seen.checks.checked.copy()
    checked[Check.COUNTER_TOTAL] = 0
    return [(run, replace(seen, checks=replace(seen.checks, checked=checked)))]


def idle_after_reset(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that the check of SM's busy time did not look in the second of two passes."""
    checked = seen.checks.checked.copy()
    checked[Check.SOFTMAX_TIME] //= 2
    return [(run, replace(seen, checks=replace(seen.checks, checked=checked)))]


def failed_check(run: int, seen: Observation) -> Iterable[tuple[int, Observation]]:
    """Say that a harness check failed once."""
    failed, first = seen.checks.failed.copy(), seen.checks.first_failure.copy()
    failed[Check.RESPONSE_ASKED], first[Check.RESPONSE_ASKED] = 1, 17
    return [(run, replace(seen, checks=replace(seen.checks, failed=failed, first_failure=first)))]


def _with_accesses(run: int, seen: Observation, **arrays: Any) -> Iterable[tuple[int, Observation]]:
    completed = replace(seen.accesses.completed, **arrays)
    return [(run, replace(seen, accesses=replace(seen.accesses, completed=completed)))]


def _changed(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values with that of the second instruction one greater."""
    values = values.copy()
    values[1] += 1
    return values


def _with_result(run: int, seen: Observation, result: RunResult) -> Iterable[tuple[int, Observation]]:
    return [(run, replace(seen, result=result))]


TAMPERINGS: dict[str, Tampering] = {
    each.__name__: each
    for each in (
        intact,
        losing,
        repeating,
        inventing,
        raising,
        wrong_word,
        wrong_scratchpad,
        unknown_word,
        unknown_external_word,
        wrong_counter,
        wrong_busy,
        wrong_retire,
        wrong_signature,
        extra_write,
        missing_read,
        unknown_write,
        write_outside,
        read_outside,
        wrong_status,
        unknown_output,
        idle_check,
        idle_after_reset,
        failed_check,
    )
}
"""By name."""
