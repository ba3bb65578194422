"""Workers, simulators and clients are killed; every job ends once, and nothing runs on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from signal import SIGINT, SIGKILL
from threading import Event

import psutil
import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.attempt import RESULTS
from regressions.nightly.engine import run_jobs
from regressions.nightly.job import NightJob
from regressions.nightly.local_engine import LocalEngine
from regressions.nightly.night import Night, begin_night, open_night, plan_now
from regressions.nightly.outcome import outcome_of
from regressions.nightly.result import JobResult, Status
from regressions.nightly.running import jobs_left, run_jobs_left
from regressions.nightly.tests import fakes
from regressions.nightly.tests.fakes import InlineEngine, job, simulate, sleepers_of
from regressions.nightly.tests.processes import processes_of, wait_until
from regressions.testplan.plan import load_plan
from verif.simulation.plain_path import REPOSITORY


@pytest.fixture
def engine() -> Iterator[LocalEngine]:
    made = LocalEngine(2)
    yield made
    made.close()


def night_of(tmp_path: Path, *jobs: NightJob) -> Night:
    return begin_night(plan_now("smoke", 1, jobs), tmp_path)


def statuses(night: Night) -> dict[str, tuple[Status, int]]:
    return {job.name: (result.status, result.attempt) for job, result in night.results() if result}


def test_whatever_a_job_does_to_its_worker_every_job_has_a_result(
    tmp_path: Path, engine: LocalEngine
) -> None:
    dos = {"a": "pass", "b": "die once", "c": "die", "d": "raise", "e": "pass"}
    jobs = [job(f"{name}-{number}", do) for number in range(2) for name, do in dos.items()]
    night = night_of(tmp_path, *jobs)
    told: list[JobResult] = []
    run_jobs_left(night, engine, simulate, told.append)
    assert sorted(result.job.name for result in told) == sorted(each.name for each in jobs)
    found = statuses(night)
    for number in range(2):
        assert found[f"a-{number}"] == found[f"e-{number}"] == (Status.PASSED, 1)
        assert found[f"b-{number}"] == (Status.PASSED, 2)
        assert found[f"c-{number}"][0] is Status.KILLED
        assert found[f"d-{number}"][0] is Status.CRASHED
    (reason,) = {result.reason for _, result in night.results() if result and result.status is Status.CRASHED}
    assert reason == "the bench failed: RuntimeError: a mistake"
    outcome = outcome_of(night, load_plan())
    assert not outcome.missing
    assert list(outcome.problems()) == ["2 crashed", "2 killed"]


def test_a_killed_workers_simulation_dies_and_its_job_is_begun_again(
    tmp_path: Path, engine: LocalEngine
) -> None:
    ended = [job(f"f-{number}", "fail") for number in range(4)]  # what failed keeps its attempts
    night = night_of(tmp_path, *ended, job("s-0", "sleep once", seconds=60), job("p-0"))
    attempts = night.directory / "attempts"

    def kill_its_worker() -> None:
        wait_until(lambda: bool(sleepers_of(night)), "it sleeps")
        (sleeper,) = sleepers_of(night)
        os.kill(int(Path(f"/proc/{sleeper}/stat").read_text().rpartition(")")[2].split()[1]), SIGKILL)
        wait_until(lambda: sleeper not in processes_of(night.directory), "it is dead")

    found: list[JobResult] = []
    with ThreadPoolExecutor(1) as pool:
        killer = pool.submit(kill_its_worker)
        run_jobs_left(night, engine, simulate, found.append)
        killer.result()
    assert {result.job.name: (result.status, result.attempt) for result in found} == {
        **{each.name: (Status.FAILED, 1) for each in ended},
        "s-0": (Status.PASSED, 2),
        "p-0": (Status.PASSED, 1),
    }
    assert sorted(str(path.relative_to(attempts)) for path in attempts.glob("*/*")) == [
        f"f-{number}/1" for number in range(4)
    ], "what had ended ran again"
    assert not processes_of(night.directory)


def test_closing_kills_what_runs_and_forgets_what_waits(tmp_path: Path) -> None:
    night = night_of(tmp_path, *(job(f"s-{number}", "sleep", seconds=600) for number in range(6)))
    engine = LocalEngine(2)
    for name, _ in ((each.name, each) for each in night.plan.jobs):
        engine.submit(name, _sleep_long, night.directory)
    wait_until(lambda: len(processes_of(night.directory)) >= 2, "both sleep")
    engine.close()
    wait_until(lambda: not processes_of(night.directory), "nothing runs on")


def _sleep_long(night: Path) -> None:
    fakes.sleep(600, night)


def test_a_killed_client_takes_all_along_and_the_night_can_be_resumed(tmp_path: Path) -> None:
    jobs = [job(f"p-{number}") for number in range(6)] + [job("s-0", "sleep", seconds=600)]
    jobs += [job(f"q-{number}", "fail", kind="data") for number in range(3)]
    night = night_of(tmp_path, *jobs)
    client = subprocess.Popen(
        [sys.executable, "-m", "regressions.nightly.tests.fakes", str(night.directory)], cwd=REPOSITORY
    )
    wait_until(lambda: len(statuses(night)) == len(jobs) - 1, "all but one have ended")
    client.send_signal(SIGKILL)
    client.wait()
    wait_until(lambda: not processes_of(night.directory), "nothing runs on")
    resumed = open_night(night.directory)
    assert [each.name for each in jobs_left(resumed)] == ["s-0"]
    (night.directory / RESULTS / "p-3.json").write_text("{", encoding="utf-8")  # as if half written
    assert [each.name for each in jobs_left(resumed)] == ["p-3", "s-0"]


def test_no_job_waits_at_a_worker_to_be_blamed_for_its_death(engine: LocalEngine) -> None:
    for name in "abcdef":
        engine.submit(name, time.sleep, 1.0)
    held: set[int] = set()
    for _ in engine.ended():
        held |= {len(keys) for keys in engine._client.processing().values()}
    assert held <= {0, 1}
    assert held


STARTED = """
import time
from regressions.nightly.local_engine import LocalEngine
try:
    LocalEngine(2)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_while_workers_start_is_for_the_client_alone(tmp_path: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", STARTED],
        cwd=REPOSITORY,
        env={**os.environ, "NIGHT": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: len(_workers(tmp_path)) == 2, "workers start")
    assert all(map(_blocks_ctrl_c, _workers(tmp_path)))
    os.killpg(client.pid, SIGINT)
    assert client.communicate(timeout=600)[0] == "interrupted\n"
    wait_until(lambda: not processes_of(tmp_path), "nothing runs on")


def _workers(night: Path) -> list[int]:
    return list(filter(_is_worker, processes_of(night)))


def _is_worker(pid: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False  # it has ended


def _blocks_ctrl_c(pid: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (blocked,) = [int(line.split()[1], 16) for line in lines if line.startswith("SigBlk:")]
    return bool(blocked & 1 << (SIGINT - 1))


def test_jobs_in_flight_are_few(engine: LocalEngine) -> None:
    drawn = 0

    def jobs() -> Iterator[tuple[str, int]]:
        nonlocal drawn
        for number in range(40):
            drawn += 1
            yield f"j-{number}", number

    for ended, _ in enumerate(run_jobs(engine, abs, jobs()), start=1):
        assert drawn - ended <= engine.workers
    assert ended == 40


@pytest.mark.slow
def test_ten_thousand_jobs_leave_the_client_as_large_as_two_thousand(engine: LocalEngine) -> None:
    sizes = {}
    for ended, _ in enumerate(run_jobs(engine, abs, ((f"j-{n}", n) for n in range(10_000))), start=1):
        if ended in (2_000, 10_000):
            sizes[ended] = resident_kilobytes()
    assert ended == 10_000
    assert sizes[10_000] - sizes[2_000] < 8_000, sizes


def resident_kilobytes() -> int:
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def test_the_engine_without_workers_is_one_too() -> None:
    """It stands for the real one in the other tests."""
    assert [ended.result for ended in run_jobs(InlineEngine(), abs, [("a", -1), ("b", -2), ("c", -3)])] == [
        1,
        2,
        3,
    ]


@contextmanager
def workers_killed_as_they_start(times: int) -> Iterator[set[int]]:
    """Kill so many worker processes of this process, each as soon as it is there; yield their numbers."""
    killed: set[int] = set()
    is_over = Event()

    def kill() -> None:
        while len(killed) < times and not is_over.is_set():
            for pid in set(_own_workers()) - killed:
                if len(killed) < times:
                    os.kill(pid, SIGKILL)
                    killed.add(pid)
            time.sleep(0.01)

    with ThreadPoolExecutor(1) as pool:
        killer = pool.submit(kill)
        try:
            yield killed
        finally:
            is_over.set()
            killer.result()


def _own_workers() -> list[int]:
    children = psutil.Process().children()
    return [each.pid for each in children if _is_worker(each.pid)]


@pytest.mark.parametrize("times", [1, 3])
def test_a_worker_that_is_killed_while_it_starts_is_replaced(times: int) -> None:
    with workers_killed_as_they_start(times) as killed:
        engine = LocalEngine(2)
    assert len(killed) == times
    try:
        results = [ended.result for ended in run_jobs(engine, abs, ((str(n), -n) for n in range(6)))]
        assert sorted(results) == list(range(6))
        assert engine.standing().here == 2
    finally:
        engine.close()


def test_a_worker_that_is_killed_while_it_replaces_another_is_replaced(engine: LocalEngine) -> None:
    with workers_killed_as_they_start(4) as killed:
        wait_until(lambda: len(killed) == 4, "two workers and who took their place are killed")
    results = [ended.result for ended in run_jobs(engine, abs, ((str(n), -n) for n in range(6)))]
    assert sorted(results) == list(range(6))


def test_workers_that_are_killed_each_time_they_start_are_one_message() -> None:
    with (
        workers_killed_as_they_start(1000),
        pytest.raises(Ga2Error, match=r"^no worker could be started: .*failed to start"),
    ):
        LocalEngine(2)
    assert not _own_workers()
