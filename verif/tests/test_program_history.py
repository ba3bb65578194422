"""Which programs are kept of a run, and how a series is cut so that it can begin on a fresh chip."""

from __future__ import annotations

from refmodel.isa.instructions import Load, Store
from refmodel.machine.machine import Machine
from refmodel.machine.tests.helpers import program
from sequences.directed.directed_program import DirectedProgram
from verif.series.program_history import PROGRAMS_KEPT, ProgramHistory
from verif.series.program_series import last_programs, state_after

LOADS = DirectedProgram("loads", program(Load(10, 0, 2), ext=[7, 8]))
READS = DirectedProgram("reads", program(Store(10, 50, 2)))
ALONE = DirectedProgram("alone", program(Load(10, 0, 1), Store(10, 50, 1), ext=[5]))


def history(*programs: DirectedProgram) -> ProgramHistory:
    machine, kept = Machine(), ProgramHistory()
    for each in programs:
        kept.remember(each, machine.run(each.bundle))
    return kept


def test_without_a_failure_there_is_no_series() -> None:
    assert history(LOADS, READS).failing_series() == ()


def test_the_first_failure_counts() -> None:
    kept = history(LOADS, ALONE)
    kept.fail()
    kept.remember(READS, Machine().run(READS.bundle))
    kept.fail()
    assert kept.failing_series() == (LOADS, ALONE)


def test_a_long_past_is_forgotten_and_its_scratchpad_kept() -> None:
    kept = history(LOADS, *[READS] * PROGRAMS_KEPT)
    kept.fail()
    first, *others = kept.failing_series()
    assert len(others) == PROGRAMS_KEPT - 1
    assert first.bundle.scratchpad is not None
    assert first.bundle.scratchpad[10:12].tolist() == [7, 8]


def test_a_series_that_needs_nothing_stays_as_it_is() -> None:
    assert last_programs([LOADS, ALONE], 1) == (ALONE,)
    assert last_programs([LOADS, READS], 2) == (LOADS, READS)


def test_a_program_that_reads_what_another_left_brings_it_along() -> None:
    (alone,) = last_programs([LOADS, READS], 1)
    assert alone.bundle.scratchpad is not None
    assert alone.bundle.scratchpad[10:12].tolist() == [7, 8]
    after, before = state_after([alone]), state_after([LOADS, READS])
    assert after is not None
    assert before is not None
    assert after.ext.tolist() == before.ext.tolist()
