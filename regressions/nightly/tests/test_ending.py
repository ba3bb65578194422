"""How a night ends that somebody interrupts, once or often; and one that nobody reads."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from signal import SIGHUP, SIGINT, SIGTERM
from typing import Any

import pytest
from junitparser import JUnitXml

from regressions.nightly.attempt import RESULTS
from regressions.nightly.interrupts import NOTICE, Interrupts
from regressions.nightly.night import Night, begin_night, open_night, plan_now
from regressions.nightly.tests.fake_client import REPORTING, REPORTS_TAKE, start_client
from regressions.nightly.tests.fakes import job, sleepers_of
from regressions.nightly.tests.processes import processes_of, wait_until


def night_of(tmp_path: Path, *, seconds: float = 600) -> Night:
    """Return a night of which two jobs sleep, but only once, between others."""
    jobs = [job(f"a-{number}") for number in range(4)]
    jobs += [job(f"s-{number}", "sleep once", seconds=seconds) for number in range(2)]
    jobs += [job(f"z-{number}") for number in range(4)]
    return begin_night(plan_now("smoke", 1, tuple(jobs)), tmp_path)


def finished(night: Night) -> set[str]:
    return {each.name for each, result in night.results() if result is not None}


def summary(night: Night) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((night.directory / "summary.json").read_text(encoding="utf-8"))
    return document


def reported(night: Night) -> int:
    """Return how many results all reports agree on."""
    document = summary(night)
    *suites, _ = JUnitXml.fromfile(str(night.directory / "junit.xml"))
    cases = [case for suite in suites for case in suite]
    assert sorted(case.name for case in cases) == sorted(each.name for each in night.plan.jobs)
    number = sum(not case.result for case in cases)
    assert number == sum(document["statuses"].values())
    with sqlite3.connect(night.directory.parent / "history.sqlite") as history:
        assert history.execute("SELECT count(*) FROM jobs").fetchone() == (number,)
    return number


def interrupt(client: Any, number: int) -> None:
    if number == SIGINT:
        os.killpg(client.pid, number)  # as a terminal does: to the workers too
    else:
        client.send_signal(number)


@pytest.mark.parametrize(
    "number", [SIGINT, *(pytest.param(each, marks=pytest.mark.slow) for each in (SIGTERM, SIGHUP))]
)
def test_an_interrupt_stops_simulations_at_once_and_resume_runs_the_rest(number: int, tmp_path: Path) -> None:
    night = night_of(tmp_path)
    client = start_client(night)
    wait_until(lambda: len(sleepers_of(night)) == 2, "both sleep")
    interrupt(client, number)
    wait_until(lambda: not sleepers_of(night), "no simulation runs")
    output, error = client.communicate(timeout=600)
    assert (client.returncode, error) == (130, "error: interrupted\n"), output
    assert "4 passed; " in output
    assert "6 without a result, s-0 first; --resume runs them" in output
    assert reported(night) == 4
    assert finished(night) == {f"a-{number}" for number in range(4)}
    assert not processes_of(night.directory)
    assert not list((tmp_path / "tmp").glob("ga2-workers-*"))

    client = start_client(open_night(night.directory))
    output, error = client.communicate(timeout=600)
    assert (client.returncode, error) == (0, ""), output
    assert reported(night) == 10
    attempts = {each["name"]: each["attempt"] for each in summary(night)["jobs"]}
    assert attempts == {each.name: 2 if each.name[0] == "s" else 1 for each in night.plan.jobs}


@pytest.mark.slow
def test_a_job_of_a_few_seconds_does_not_finish_after_an_interrupt(tmp_path: Path) -> None:
    night = night_of(tmp_path, seconds=3.5)  # dask.distributed would give a worker 4 s
    client = start_client(night)
    wait_until(lambda: len(sleepers_of(night)) == 2, "both sleep")
    interrupt(client, SIGINT)
    client.communicate(timeout=600)
    assert client.returncode == 130
    assert finished(night) <= {f"a-{number}" for number in range(4)}


def test_whoever_interrupts_the_reports_has_to_wait_for_them(tmp_path: Path) -> None:
    night = night_of(tmp_path)
    client = start_client(night, {REPORTS_TAKE: "2"})
    wait_until(lambda: len(sleepers_of(night)) == 2, "both sleep")
    interrupt(client, SIGINT)
    wait_until((tmp_path / REPORTING).exists, "it reports")
    for number in (SIGINT, SIGTERM, SIGINT):
        interrupt(client, number)
        time.sleep(0.1)
    assert (tmp_path / REPORTING).exists(), "the interrupts came too late to show anything"
    output, error = client.communicate(timeout=600)
    assert error.splitlines() == [NOTICE, "error: interrupted"], output
    assert client.returncode == 130
    assert reported(night) == 4
    assert "results in" in output


@pytest.mark.slow
def test_an_interrupt_of_a_night_that_is_done_changes_nothing(tmp_path: Path) -> None:
    night = night_of(tmp_path, seconds=0)
    client = start_client(night, {REPORTS_TAKE: "2"})
    wait_until((tmp_path / REPORTING).exists, "it reports")
    interrupt(client, SIGINT)
    output, error = client.communicate(timeout=600)
    assert (client.returncode, error) == (0, f"{NOTICE}\n"), output
    assert reported(night) == 10


@pytest.mark.slow
@pytest.mark.parametrize("after", range(6))
def test_a_storm_of_interrupts_at_any_moment_tears_nothing(after: int, tmp_path: Path) -> None:
    """Reports are whole, or, where it had not begun to run, not there."""
    night = night_of(tmp_path, seconds=0.2)
    client = start_client(night)
    began: list[Callable[[], bool]] = [
        lambda: bool(list((tmp_path / "tmp").glob("ga2-workers-*"))),
        lambda: len(processes_of(night.directory)) >= 2,
        lambda: bool(finished(night)),
        lambda: len(finished(night)) >= 3,
        lambda: bool(sleepers_of(night)),
        lambda: (night.directory / "summary.json").exists(),
    ]
    wait_until(lambda: began[after]() or client.poll() is not None, "the moment is there")
    while client.poll() is None:
        interrupt(client, SIGINT)
        time.sleep(0.005)
    output, error = client.communicate()
    assert client.returncode in (0, 130), output + error
    assert "Traceback" not in output + error
    assert reported(night) == len(finished(night))
    assert sorted(path.stem for path in (night.directory / RESULTS).glob("*.json")) == sorted(finished(night))
    wait_until(lambda: not processes_of(night.directory), "nothing runs on")
    client = start_client(open_night(night.directory))
    assert client.communicate(timeout=600)[1] == ""
    assert (client.returncode, reported(night)) == (0, 10)


@pytest.mark.parametrize(
    ("into", "both"),
    [
        ("head", False),
        ("/dev/full", True),
        pytest.param("head", True, marks=pytest.mark.slow),
        pytest.param("/dev/full", False, marks=pytest.mark.slow),
    ],
)
def test_a_night_that_nobody_reads_goes_on_and_is_reported(into: str, both: bool, tmp_path: Path) -> None:
    jobs = [job("f-0", "fail", kind="data"), job("s-0", "sleep", seconds=1.0), job("a-0"), job("z-0")]
    night = begin_night(plan_now("smoke", 1, tuple(jobs)), tmp_path)
    if into == "head":
        read, written = os.pipe()
        os.close(read)
    else:
        written = os.open(into, os.O_WRONLY)
    how = {"stdout": written, "stderr": written} if both else {"stdout": written}
    buffered = {"PYTHONUNBUFFERED": "1" if into == "head" else ""}  # it fails in writing, or in flushing
    client = start_client(night, buffered, **how)
    os.close(written)
    _, error = client.communicate(timeout=600)
    assert client.returncode == 2, error
    if not both:
        why = "Broken pipe" if into == "head" else "No space left on device"
        where = night.directory / "summary.json"
        assert error == f"error: standard output: {why}; the whole night is in {where}\n"
    assert summary(night)["statuses"] | {"passed": 3, "failed": 1} == summary(night)["statuses"]
    assert [each["shrunk"] for each in summary(night)["buckets"]] == ["shrunk to one"]
    assert (night.directory / "junit.xml").exists()
    assert (tmp_path / "failed.json").exists()
    with sqlite3.connect(tmp_path / "history.sqlite") as history:
        assert history.execute("SELECT count(*) FROM jobs").fetchone() == (4,)


def test_interrupts_that_come_too_early_count_later_and_only_one_does(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert signal.getsignal(SIGINT) is signal.default_int_handler
    with Interrupts() as interrupts:
        signal.raise_signal(SIGINT)
        with pytest.raises(KeyboardInterrupt), interrupts.allowed():
            pytest.fail("it has been interrupted before")
        assert capfd.readouterr().err == ""
        signal.raise_signal(SIGINT)
        signal.raise_signal(SIGINT)
    assert capfd.readouterr().err == f"{NOTICE}\n"
    assert signal.getsignal(SIGINT) is signal.default_int_handler


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with Interrupts() as interrupts, interrupts.allowed():
            assert signal.getsignal(SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(SIGHUP, before)
