"""Jobs on a Slurm of the test's own, whose workers, nodes and controller are killed; every job ends once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from signal import SIGKILL
from typing import Any

import dask
import distributed
import pytest

from regressions.nightly import dask_engine, slurm_engine
from regressions.nightly.attempt import Assignment, carry_out
from regressions.nightly.engine import run_jobs
from regressions.nightly.farm import Farm, FarmError
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night, begin_night, open_night, plan_now
from regressions.nightly.result import JobResult, Status
from regressions.nightly.running import jobs_left, run_jobs_left
from regressions.nightly.slurm_cluster import WorkerJob
from regressions.nightly.slurm_engine import SlurmEngine
from regressions.nightly.tests.fakes import job, processes_of, simulate, wait_until
from regressions.nightly.tests.private_slurm import NODES, PrivateSlurm, private_slurm, why_there_is_none
from verif.sim_make import REPOSITORY, build

pytestmark = pytest.mark.skipif(bool(why_there_is_none()), reason=why_there_is_none())

FARM = Farm(workers=2, memory="1GB", walltime="0:30:00", interface="lo")


@pytest.fixture
def slurm(monkeypatch: pytest.MonkeyPatch) -> Iterator[PrivateSlurm]:
    """Start a Slurm that this process uses from now on, and look after workers often."""
    monkeypatch.setattr(slurm_engine, "LOOK_SECONDS", 1.0)
    monkeypatch.setitem(dask_engine.SETTINGS, "distributed.deploy.lost-worker-timeout", "3s")
    with private_slurm() as started:
        monkeypatch.setenv("SLURM_CONF", str(started.configuration))
        yield started


def night_of(tmp_path: Path, *jobs: NightJob) -> Night:
    return begin_night(plan_now("smoke", 1, jobs), tmp_path)


def engine_for(night: Night, farm: Farm = FARM) -> SlurmEngine:
    return SlurmEngine(farm, night.directory / "workers", farm.workers)


def run_meanwhile(night: Night, engine: SlurmEngine, meanwhile: Callable[[], None]) -> list[JobResult]:
    """Run what is missing of a night while something else happens; return the results as they were told."""
    told: list[JobResult] = []
    acted = Future[None]()

    def act() -> None:
        try:
            meanwhile()
            acted.set_result(None)
        except BaseException as error:
            acted.set_exception(error)
            engine.give_up(AssertionError())

    threading.Thread(target=act).start()
    with suppress(AssertionError):
        run_jobs_left(night, engine, simulate, told.append)
    acted.result()
    return told


def wait_for_sleepers(night: Night, number: int = 2) -> None:
    wait_until(lambda: len(sleepers(night)) == number, f"{number} simulations run", 60)


def sleepers(night: Night) -> list[int]:
    """Return the simulations that run for a night."""
    found = []
    for process in processes_of(night.directory):
        command = Path(f"/proc/{process}/cmdline")
        if command.exists() and command.read_bytes().startswith(b"sleep\0"):
            found.append(process)
    return found


def naps(number: int, seconds: float) -> list[NightJob]:
    return [job(f"s-{each}", "sleep", seconds=seconds) for each in range(number)]


def assert_all_passed(night: Night, told: list[JobResult]) -> None:
    names = sorted(each.name for each in night.plan.jobs)
    assert sorted(result.job.name for result in told) == names, "each is told once"
    assert {result.status for _, result in night.results() if result} == {Status.PASSED}
    assert all(result for _, result in night.results())


@pytest.mark.parametrize(
    "how",
    [
        "scancel",
        pytest.param("scontrol requeue", marks=pytest.mark.slow),
        pytest.param("kill", marks=pytest.mark.slow),
    ],
)
def test_a_worker_that_goes_loses_nothing_and_another_takes_its_place(
    tmp_path: Path, slurm: PrivateSlurm, how: str
) -> None:
    night = night_of(tmp_path, *naps(4, 2))
    before: dict[str, str] = {}
    simulations: list[int] = []

    def take_one_away() -> None:
        wait_for_sleepers(night)
        before.update(slurm.jobs())
        (number, node), _ = before.items()
        simulations.extend(set(sleepers(night)) & set(slurm.processes_on(node)))
        if how == "kill":
            os.kill(parent_of(*simulations), SIGKILL)
        else:
            slurm.ask(*how.split(), number)
        wait_until(lambda: not set(simulations) & set(sleepers(night)), "its simulation is dead", 20)

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, take_one_away)
        assert_all_passed(night, told)
        assert sorted(result.attempt for result in told) == [1, 1, 1, 2]
        if how != "kill":  # else it is begun again within its Slurm job
            wait_until(lambda: len(slurm.jobs().keys() - before.keys()) == 1, "another has come", 60)
    wait_until(lambda: not processes_of(night.directory), "nothing runs on", 30)


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.slow
def test_a_node_that_dies_loses_nothing(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *naps(6, 2))

    def kill_a_node() -> None:
        wait_for_sleepers(night)
        assert slurm.kill_node("n1"), "nothing ran there"

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, kill_a_node)
        assert_all_passed(night, told)
        assert sorted(result.attempt for result in told) == [1, 1, 1, 1, 1, 2]
        wait_until(lambda: "down" in "".join(slurm.states()), "the controller has noticed", 60)
        slurm.start_node("n1")
        wait_until(lambda: set(slurm.jobs().values()) == set(NODES), "the node is used again", 90)


@pytest.mark.slow
def test_without_its_controller_the_night_goes_on(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *naps(10, 2))

    def restart() -> None:
        wait_for_sleepers(night)
        slurm.kill_controller()
        wait_until(lambda: len(done(night)) >= 8, "it goes on", 60)
        slurm.start_controller()

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, restart)
    assert_all_passed(night, told)
    assert [result.attempt for result in told] == [1] * 10


@pytest.mark.slow
def test_a_worker_lost_while_the_controller_is_away_is_replaced_when_it_is_back(
    tmp_path: Path, slurm: PrivateSlurm
) -> None:
    night = night_of(tmp_path, *naps(4, 3))

    def lose_all() -> None:
        wait_for_sleepers(night)
        slurm.kill_controller()
        for node in NODES:
            slurm.kill_node(node)
        wait_until(lambda: bool(refused(engine)), "no other can be had", 120)
        for node in NODES:
            slurm.start_node(node)
        slurm.start_controller()

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, lose_all)
    assert_all_passed(night, told)


def refused(engine: SlurmEngine) -> list[WorkerJob]:
    """Return the worker jobs that Slurm did not take."""
    asked_for: dict[str, WorkerJob] = engine._cluster.workers
    return [job for job in list(asked_for.values()) if job.status is distributed.Status.failed]


def done(night: Night) -> list[JobResult]:
    return [result for _, result in night.results() if result]


@pytest.mark.slow
def test_a_killed_client_leaves_no_worker_behind_and_the_night_is_resumed(
    tmp_path: Path, slurm: PrivateSlurm
) -> None:
    jobs = [job(f"p-{number}") for number in range(6)] + naps(1, 600)
    night = night_of(tmp_path, *jobs)
    command = [sys.executable, "-m", "regressions.nightly.tests.test_slurm_engine", str(night.directory)]
    client = subprocess.Popen(command, cwd=REPOSITORY)  # it asks for a worker more than there are nodes
    wait_until(lambda: len(done(night)) == 6 and bool(sleepers(night)), "all but one have ended", 120)
    wait_until(lambda: len(slurm.jobs("pending")) == 1, "one worker waits", 30)
    client.send_signal(SIGKILL)
    client.wait()
    wait_until(lambda: not slurm.ask("squeue", "-h"), "its workers leave", 120)
    assert not processes_of(night.directory)
    resumed = open_night(night.directory)
    assert [each.name for each in jobs_left(resumed)] == ["s-0"]

    def end_it() -> None:
        wait_for_sleepers(night, 1)
        (sleeper,) = sleepers(night)
        os.kill(sleeper, SIGKILL)

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(resumed, engine, end_it)
    assert [(result.job.name, result.attempt) for result in told] == [("s-0", 2)]
    assert [result.attempt for result in done(night)] == [1] * 6 + [2]
    assert {result.status for result in done(night)} == {Status.PASSED}


@pytest.mark.slow
def test_closing_kills_what_runs_and_takes_its_worker_jobs_back(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *naps(3, 600))
    engine = engine_for(night)
    for each in night.plan.jobs:
        engine.submit(each.name, carry_out, Assignment(each, night.directory, simulate))
    wait_for_sleepers(night)
    engine.close()
    wait_until(lambda: not slurm.ask("squeue", "-h"), "no worker job is left", 30)
    wait_until(lambda: not processes_of(night.directory), "nothing runs on", 10)
    assert not done(night)


@pytest.mark.slow
def test_worker_jobs_cancelled_while_they_wait_are_replaced(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, job("a-0"), job("a-1"))
    slurm.ask("scontrol", "update", f"NodeName={','.join(NODES)}", "State=DRAIN", "Reason=test")

    def cancel() -> None:
        wait_until(lambda: len(slurm.jobs("pending")) == 2, "they wait", 30)
        before = set(slurm.jobs("pending"))
        slurm.ask("scancel", *before)
        wait_until(lambda: len(set(slurm.jobs("pending")) - before) == 2, "there are others", 30)
        slurm.ask("scontrol", "update", f"NodeName={','.join(NODES)}", "State=RESUME")

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, cancel)
    assert_all_passed(night, told)


def test_workers_that_cannot_start_end_the_night_with_a_message(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, job("a-0"))
    farm = FARM.model_copy(update={"prologue": ["echo no such module >&2", "exit 1"]})
    with (
        closing(engine_for(night, farm)) as engine,
        pytest.raises(FarmError, match=r"no worker is there: their Slurm jobs end too soon; .*/workers"),
    ):
        run_jobs_left(night, engine, simulate, lambda _: None)
    logs = (night.directory / "workers").glob("*.err")
    assert {path.read_text() for path in logs} == {"no such module\n"}
    wait_until(lambda: not slurm.ask("squeue", "-h"), "none is asked for any more", 30)


@pytest.mark.slow
def test_a_controller_that_never_comes_back_ends_the_night_with_a_message(
    tmp_path: Path, slurm: PrivateSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm_engine, "SILENT_ROUNDS", 3)
    night = night_of(tmp_path, job("a-0"))
    slurm.kill_controller()
    with (
        closing(engine_for(night)) as engine,
        pytest.raises(FarmError, match="no worker is there: Slurm's controller does not answer;"),
    ):
        run_jobs_left(night, engine, simulate, lambda _: None)


@pytest.mark.slow
def test_workers_run_in_this_checkout_on_this_rtl(
    tmp_path: Path, slurm: PrivateSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slurm.states()
    monkeypatch.setenv("RTL", "it's mine.f")
    monkeypatch.delenv("MIRRORS", raising=False)
    farm = FARM.model_copy(update={"directives": ["--export=NONE"], "prologue": ["export MIRRORS=other"]})
    with closing(SlurmEngine(farm, tmp_path / "workers", 1)) as engine:
        (ended,) = run_jobs(engine, surroundings, [("a", ["RTL", "MIRRORS"])])
    assert ended.result == (str(REPOSITORY), ["it's mine.f", ""], dask_engine.SETTINGS)
    assert not list((tmp_path / "workers").glob(".keys*"))


def surroundings(names: list[str]) -> tuple[str, list[str | None], dict[str, Any]]:
    settings = {key: dask.config.get(key) for key in dask_engine.SETTINGS}
    return str(Path.cwd()), [os.environ.get(name) for name in names], settings


@pytest.mark.slow
def test_nodes_share_a_build(
    tmp_path: Path, rtl_directory: Path, slurm: PrivateSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slurm.states()
    for source in (REPOSITORY / "hdl" / "rtl").glob("*"):
        shutil.copy(source, rtl_directory)
    sources = rtl_directory / "ga2.f"
    sources.write_text(sources.read_text().replace("hdl/rtl/", f"{rtl_directory}/"))
    with (rtl_directory / "ga2.sv").open("a") as file:
        file.write(f"// {tmp_path}\n")  # so that no earlier build of it is good
    log = tmp_path / "compiled"
    compiler = tmp_path / "iverilog"
    compiler.write_text(
        f'#!/bin/sh\ncase $* in *-o*) echo $SLURMD_NODENAME >>{log}; sleep 2;; esac\nexec iverilog "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("IVERILOG", str(compiler))
    (tmp_path / "here").mkdir()
    with closing(SlurmEngine(FARM, tmp_path / "workers", 2)) as engine:
        jobs = [(f"b-{number}", (tmp_path / "here", sources)) for number in range(2)]
        nodes = {ended.result for ended in run_jobs(engine, build_with_others, jobs)}
    assert nodes == set(NODES)
    assert len(log.read_text().split()) == 1, "it was built twice"


def build_with_others(task: tuple[Path, Path]) -> str:
    """Build some RTL at the same time as the other node; return this one's name."""
    here, rtl = task
    node = os.environ["SLURMD_NODENAME"]
    (here / node).touch()
    wait_until(lambda: len(list(here.iterdir())) == len(NODES), "the other is there")
    build("icarus", str(rtl))
    return node


if __name__ == "__main__":
    running = open_night(Path(sys.argv[1]))
    three = FARM.model_copy(update={"workers": 3})
    run_jobs_left(running, engine_for(running, three), simulate, lambda _: None)
