"""What every random program must be: accepted by the static checker, reading nothing undefined."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from refmodel.isa.checker import check_program, refuse_errors
from refmodel.isa.instructions import Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import footprint
from refmodel.machine.definedness import Mask, abandon, propagate, undefined_reads
from sequences.random_programs.random_program import RandomProgram
from sequences.run_plan import plan_run
from sequences.stimulus import Stimulus
from sequences.timed_program import timed_program


def nothing_defined() -> Mask:
    """Return the scratchpad's mask, bool[4096], before any program has run."""
    return np.zeros(SCRATCHPAD_WORDS, np.bool_)


def defined_at_start(program: RandomProgram, before: Mask) -> Mask:
    """Return which scratchpad words have a value when a program starts, given those before it."""
    return before if program.scratchpad is None else np.ones(SCRATCHPAD_WORDS, np.bool_)


def require_legal(program: RandomProgram, before: Mask) -> None:
    """Raise ProgramError, with what the static checker says, unless a generator may send this program.

    `before` tells which scratchpad words the programs before it left defined.
    """
    initially = defined_at_start(program, before)
    refuse_errors(check_program(program.code, program.ext_words, initially))


def require_legal_series(programs: Iterable[RandomProgram]) -> None:
    """Raise ProgramError unless programs may be sent one after another, on a scratchpad never written."""
    defined = nothing_defined()
    for program in programs:
        require_legal(program, defined)
        defined = defined_after(program, defined)


def defined_after(program: RandomProgram, before: Mask) -> Mask:
    """Return which scratchpad words have a value after a legal program and its stimulus.

    An instruction that rst cuts short leaves the words it writes undefined. In a pass after the first, any
    instruction may be that one: what is then left out is defined all the same, perhaps.
    """
    if _runs_after_reset(program.stimulus):
        return _after_passes(program, before)[0]
    decoded = program.decoded
    defined: Mask = defined_at_start(program, before).copy()
    reset = program.stimulus.reset_cycle
    total = decoded.counters.cyc_total
    if reset is None or (reset > total and program.stimulus.extra_start is None):
        defined |= decoded.interface.writes
        return defined
    if reset > total:
        return defined & ~decoded.interface.writes
    completed = int(np.searchsorted(decoded.last_cycles, reset, side="left"))
    for touched in decoded.footprints[:completed]:
        if touched.writes is not None:
            defined[touched.writes.addresses()] = True
    if completed < len(decoded.instructions):
        caught = footprint(decoded.instructions[completed]).writes
        if caught is not None:
            defined[caught.addresses()] = False
    return defined


def _runs_after_reset(stimulus: Stimulus) -> bool:
    """Is there a reset that another pass may follow, or one at a time that delays decide?"""
    reset, extra = stimulus.reset_cycle, stimulus.extra_start
    return reset is not None and (
        stimulus.response_delays is not None or (extra is not None and extra[1] > reset)
    )


def keeps_promise(program: RandomProgram, before: Mask, promised: Mask) -> bool:
    """Does a program leave all that is promised defined, and does no pass read anything undefined?"""
    if not _runs_after_reset(program.stimulus):
        return bool(defined_after(program, before)[promised].all())
    defined, reads_undefined = _after_passes(program, before)
    return bool(defined[promised].all()) and not reads_undefined


def _after_passes(program: RandomProgram, before: Mask) -> tuple[Mask, bool]:
    """Return what is defined after every pass, and whether one reads something that is not."""
    reads_undefined = False
    timed = timed_program(program.code, program.read_latency, program.stimulus)
    defined: Mask = defined_at_start(program, before).copy()
    ext: Mask = np.ones(EXT_ADDRESS_WORDS, np.bool_)
    for cut in plan_run(timed.counters.cyc_total, program.stimulus).cuts:
        completed = len(timed.instructions)
        if cut is not None:
            completed = int(np.searchsorted(timed.last_cycles, cut, side="left"))
        for instruction in timed.instructions[:completed]:
            reads_undefined |= len(undefined_reads(instruction, defined)) > 0
            propagate(instruction, defined, ext)
        for instruction in timed.instructions[completed : completed + 1]:
            abandon(instruction, defined)
            if isinstance(instruction, Store):
                reads_undefined |= len(undefined_reads(instruction, defined)) > 0
                propagate(instruction, defined, ext)
    return defined, reads_undefined
