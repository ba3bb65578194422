"""A bench that is broken must fail, and say why."""

import pytest

from verif.simulation import SimulationError, SimulationTimeout
from verif.tests.conftest import Simulate
from verif.verdict import Aspect

TAMPERED = {
    "LosingMonitor": (Aspect.PAIRING, "run 2", "none"),
    "RepeatingMonitor": (Aspect.PAIRING, "run 2", "a second result"),
    "InventingMonitor": (Aspect.PAIRING, "run 1002", "a result"),
    "WrongWordMonitor": (Aspect.EXT, "word 77", None),
    "WrongScratchpadMonitor": (Aspect.SCRATCHPAD, "word 4095", None),
    "UnknownWordMonitor": (Aspect.SCRATCHPAD, "word 100", "X"),
    "UnknownExternalWordMonitor": (Aspect.EXT, "word 3", "X"),
    "WrongCounterMonitor": (Aspect.COUNTER, "cyc_vec", None),
    "WrongRetireMonitor": (Aspect.RETIRE, "number of completed instructions", "4"),
    "WrongStatusMonitor": (Aspect.STATUS, "fault", "True"),
    "UnknownOutputMonitor": (Aspect.UNKNOWN, "n_inst", "X"),
    "IdleCheckMonitor": (Aspect.CHECK, "COUNTER_LAW looked", "0 times"),
    "FailedCheckMonitor": (Aspect.CHECK, "RESPONSE", "1 failure, the first in cycle 17"),
}


def test_intact_bench_passes(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, monitor="IntactMonitor")
    assert report.passed
    assert report.programs == 3


@pytest.mark.parametrize("monitor", TAMPERED)
def test_tampered_result_is_the_one_mismatch(simulate: Simulate, monitor: str) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, monitor=monitor)
    aspect, where, found = TAMPERED[monitor]
    assert not report.passed
    assert [(each.aspect, each.where) for each in report.mismatches] == [(aspect, where)]
    assert found is None or report.mismatches[0].found == found


def test_moved_busy_cycle_names_both_instructions(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, monitor="WrongBusyMonitor")
    assert not report.passed
    assert {each.aspect for each in report.mismatches} == {Aspect.BUSY}
    assert len(report.mismatches) == 2


def test_all_results_lost_is_nothing_compared(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, monitor="LosingAllMonitor")
    assert not report.passed
    assert report.comparisons == 0
    assert sorted(each.where for each in report.mismatches) == [
        "programs compared",
        "run 1",
        "run 2",
        "run 3",
    ]


def test_empty_run_fails(simulate: Simulate) -> None:
    report = simulate("broken_bench.EmptyRunTest", explain=False)
    assert not report.passed
    assert [each.where for each in report.mismatches] == ["programs compared"]


def test_failing_monitor_is_an_error(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, monitor="RaisingMonitor")
    assert not report.passed
    assert report.error_kind == "internal"
    assert "a monitor that fails" in report.error


@pytest.mark.parametrize(("memory", "aspect"), [("external", Aspect.EXT), ("scratchpad", Aspect.SCRATCHPAD)])
def test_word_changed_behind_the_chips_back_is_found(simulate: Simulate, memory: str, aspect: Aspect) -> None:
    report = simulate("broken_bench.SimulatedFaultTest", explain=False, memory=memory)
    assert not report.passed
    assert [(each.program, each.aspect, each.where) for each in report.mismatches] == [
        ("load-store", aspect, "word 4000")
    ]


def test_unknown_word_in_the_simulator_is_found(simulate: Simulate, simulator: str) -> None:
    report = simulate("broken_bench.SimulatedUnknownTest", explain=False)
    assert not report.passed
    assert [(each.program, each.aspect, each.where) for each in report.mismatches] == [
        ("load-store", Aspect.EXT, "word 3")
    ]
    assert (report.mismatches[0].found == "X") == (simulator == "icarus")


def test_programs_after_a_hang_run_to_their_end(simulate: Simulate) -> None:
    report = simulate("broken_bench.HangThenGoodTest", explain=False)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == 3


def test_watchdog_ends_a_hang(simulate: Simulate) -> None:
    report = simulate("broken_bench.HangTest", explain=False)
    assert not report.passed
    assert report.error_kind == "hang"
    assert "did not halt" in report.error


def test_failing_background_task_is_no_pass(simulate: Simulate) -> None:
    with pytest.raises(SimulationError, match="a background task that fails"):
        simulate("broken_bench.BackgroundErrorTest", explain=False)


def test_failure_after_the_report_is_no_pass(simulate: Simulate) -> None:
    with pytest.raises(SimulationError, match="its report is good, but cocotb's is not"):
        simulate("broken_bench.LateErrorTest", explain=False)


def test_killed_simulation_is_an_error(simulate: Simulate) -> None:
    with pytest.raises(SimulationError, match=r"ended with status (137|9)"):
        simulate("broken_bench.KilledTest", explain=False)


def test_endless_simulation_is_killed(simulate: Simulate) -> None:
    with pytest.raises(SimulationTimeout, match="killed after"):
        simulate("broken_bench.EndlessTest", explain=False, timeout=6.0)


def test_unknown_test_is_an_error(simulate: Simulate) -> None:
    with pytest.raises(SimulationError, match="0 tests of that name ran"):
        simulate("broken_bench.NoSuchTest", explain=False)
