"""A bench that is broken must fail, and say why.

What is decided outside the simulator, or before anything runs in it, is slow on one of the two.
"""

import pytest

from verif.scoreboard.verdict import Aspect
from verif.simulation import time_limit
from verif.simulation.simulation import KilledSimulationError, SimulationError, SimulationTimeout
from verif.tests.conftest import Simulate

TAMPERED = {
    "losing": (Aspect.PAIRING, "run {run}", "none"),
    "repeating": (Aspect.PAIRING, "run {run}", "a second result"),
    "inventing": (Aspect.PAIRING, "run {invented}", "a result"),
    "wrong_word": (Aspect.EXT, "word 77", None),
    "wrong_scratchpad": (Aspect.SCRATCHPAD, "word 4095", None),
    "unknown_word": (Aspect.SCRATCHPAD, "word 100", "X"),
    "unknown_external_word": (Aspect.EXT, "word 3", "X"),
    "wrong_counter": (Aspect.COUNTER, "cyc_vec", None),
    "wrong_retire": (Aspect.RETIRE, "number of completed instructions", "4"),
    "wrong_signature": (
        Aspect.WRITES,
        "instruction 1 (SM), wrong word, address or order of its writes",
        None,
    ),
    "extra_write": (Aspect.WRITES, "instruction 1 (SM), extra scratchpad writes", "3"),
    "missing_read": (Aspect.READS, "instruction 1 (SM), missing scratchpad reads", "0"),
    "unknown_write": (Aspect.WRITES, "instruction 1 (SM), unknown bits written", "X"),
    "write_outside": (Aspect.WRITES, "cycles outside any instruction", "1"),
    "read_outside": (Aspect.READS, "cycles outside any instruction", "2"),
    "wrong_status": (Aspect.STATUS, "fault", "True"),
    "unknown_output": (Aspect.UNKNOWN, "n_inst", "X"),
    "idle_check": (Aspect.CHECK, "COUNTER_TOTAL looked", "0 times"),
    "failed_check": (Aspect.CHECK, "RESPONSE_ASKED", "1 failure, the first in cycle 17"),
}


def test_intact_bench_passes(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, tamperings=["intact"])
    assert report.passed
    assert report.programs == 3


def test_each_tampered_result_is_one_mismatch(simulate: Simulate) -> None:
    """All in one simulation, three programs each, of which the second is told wrongly."""
    report = simulate("broken_bench.TamperedTest", explain=False, tamperings=list(TAMPERED))
    assert not report.passed
    wanted = {
        (aspect, where.format(run=3 * number + 2, invented=3 * number + 1002)): found
        for number, (aspect, where, found) in enumerate(TAMPERED.values())
    }
    found = {(each.aspect, each.where): each.found for each in report.mismatches}
    assert found.keys() == wanted.keys()
    assert len(report.mismatches) == len(TAMPERED)
    for key, value in wanted.items():
        assert value is None or found[key] == value


def test_check_that_stops_looking_after_a_reset_is_found(simulate: Simulate) -> None:
    """It has four SMs, which retire in both passes."""
    report = simulate("broken_bench.TamperedAfterResetTest", explain=False, tamperings=["idle_after_reset"])
    assert [(each.program, each.where, each.expected, each.found) for each in report.mismatches] == [
        ("softmax", "SOFTMAX_TIME looked", "8 times", "4 times")
    ]


def test_moved_busy_cycle_names_both_instructions(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, tamperings=["wrong_busy"])
    assert not report.passed
    assert {each.aspect for each in report.mismatches} == {Aspect.BUSY}
    assert len(report.mismatches) == 2


@pytest.mark.slow("icarus")
def test_all_results_lost_is_nothing_compared(simulate: Simulate) -> None:
    report = simulate("broken_bench.LosingAllTest", explain=False)
    assert not report.passed
    assert report.comparisons == 0
    assert sorted(each.where for each in report.mismatches) == [
        "programs compared",
        "run 1",
        "run 2",
        "run 3",
    ]


@pytest.mark.slow("verilator")
def test_empty_run_fails(simulate: Simulate) -> None:
    report = simulate("broken_bench.EmptyRunTest", explain=False)
    assert not report.passed
    assert [each.where for each in report.mismatches] == ["programs compared"]


@pytest.mark.slow("icarus")
def test_failing_monitor_is_an_error(simulate: Simulate) -> None:
    report = simulate("broken_bench.TamperedTest", explain=False, tamperings=["raising"])
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


@pytest.mark.slow("verilator")
def test_endless_simulation_is_killed(simulate: Simulate) -> None:
    with pytest.raises(SimulationTimeout, match=r"killed after 6 s of CPU time \(\d+ s by the clock\)"):
        simulate("broken_bench.EndlessTest", explain=False, timeout=6.0)


@pytest.mark.slow("icarus")
def test_time_without_cpu_is_not_held_against_a_simulation(simulate: Simulate) -> None:
    report = simulate("broken_bench.SleepingTest", explain=False, timeout=5.0, seconds=6)
    assert report.passed


@pytest.mark.slow("verilator")
def test_a_simulation_that_sleeps_for_ever_is_killed_and_says_nothing_of_the_chip(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time_limit, "CLOCK_FACTOR", 2)
    how = r"killed after 10 s by the clock, with \d of 5 s of CPU time"
    with pytest.raises(KilledSimulationError, match=how):
        simulate("broken_bench.SleepingTest", explain=False, timeout=5.0, seconds=600)


@pytest.mark.slow("icarus")
def test_a_cancelled_stimulus_ends_the_run_as_an_error_of_the_bench(simulate: Simulate) -> None:
    report = simulate("broken_bench.CancelledTest", explain=False, timeout=30.0)
    assert (report.passed, report.error_kind) == (False, "internal")
    assert "a stimulus that is cancelled" in report.error


@pytest.mark.slow("icarus")
def test_a_misspelt_parameter_is_an_error(simulate: Simulate) -> None:
    programs = ["vectors/sm-one-apart"]
    report = simulate("named_programs.NamedProgramsTest", programs=programs, seed=1, sead=2, explain=False)
    assert not report.passed
    assert report.error_kind == "input"
    assert report.error == "NamedProgramsTest has no parameter 'sead'; did you mean seed?"


@pytest.mark.slow("verilator")
def test_wrong_value_of_a_parameter_is_bad_input(simulate: Simulate) -> None:
    report = simulate("directed.DirectedTest", groups=["requantiser"], seed=1, explain=False)
    assert (report.passed, report.error_kind, report.programs) == (False, "input", 0)
    told = "DirectedTest: groups.0: unknown group 'requantiser'; did you mean requantizer?"
    assert report.error == told


@pytest.mark.slow("icarus")
def test_a_missing_parameter_is_an_error(simulate: Simulate) -> None:
    programs = ["vectors/sm-one-apart"]
    report = simulate("named_programs.NamedProgramsTest", programs=programs, explain=False)
    assert (report.passed, report.error) == (False, "NamedProgramsTest needs parameter 'seed'")


@pytest.mark.slow("verilator")
def test_unknown_test_is_an_error(simulate: Simulate) -> None:
    with pytest.raises(SimulationError, match="0 tests of that name ran"):
        simulate("broken_bench.NoSuchTest", explain=False)
