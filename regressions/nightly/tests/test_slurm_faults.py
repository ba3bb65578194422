"""Workers, nodes, controller, client of a farm are killed: no job is lost, none runs twice without need."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from signal import SIGKILL

import distributed
import pytest

from regressions.nightly.night import open_night
from regressions.nightly.running import jobs_left
from regressions.nightly.slurm_cluster import WorkerJob
from regressions.nightly.slurm_engine import SlurmEngine
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.private_slurm import NODES, PrivateSlurm
from regressions.nightly.tests.processes import kill_all, processes_of, wait_until
from regressions.nightly.tests.slurm_nights import (
    FARM,
    assert_all_passed,
    done,
    engine_for,
    go,
    held,
    night_of,
    run_meanwhile,
    simulations,
    starts,
    wait_for_simulations,
)
from verif.simulation.plain_path import REPOSITORY

slow = pytest.mark.slow

CANCEL, REQUEUE, KILL_WORKER, KILL_JOB = "scancel", "scontrol requeue", "kill its worker", "kill all of it"


@pytest.mark.parametrize(
    "how",
    [
        CANCEL,
        pytest.param(REQUEUE, marks=slow),
        pytest.param(KILL_WORKER, marks=slow),
        pytest.param(KILL_JOB, marks=slow),
    ],
)
def test_a_worker_that_goes_loses_nothing_and_another_takes_its_place(
    tmp_path: Path, slurm: PrivateSlurm, how: str
) -> None:
    night = night_of(tmp_path, *held(4))

    def take_one_away() -> None:
        wait_for_simulations(night)
        before = slurm.jobs()
        (number, node), _ = before.items()
        there: list[int] = []  # a simulation may fork just now: the first is the one that stays

        def is_there() -> bool:
            there[:] = sorted(set(simulations(night)) & set(slurm.processes_on(node)))
            return bool(there)

        wait_until(is_there, "its node has a simulation")
        simulation = there[0]
        if how == KILL_WORKER:
            os.kill(parent_of(simulation), SIGKILL)
        elif how == KILL_JOB:
            kill_all(slurm.processes_on(node))
        else:
            slurm.ask(*how.split(), number)
        wait_until(lambda: simulation not in simulations(night), "its simulation is dead")
        if how == KILL_WORKER:  # it may come back within its Slurm job
            wait_for_simulations(night)
        else:
            wait_until(
                lambda: bool(slurm.jobs("pending,running").keys() - before.keys()), "another is asked for"
            )
        go(night)

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, take_one_away)
    assert_all_passed(night, told, begun_twice=1)
    wait_until(lambda: not processes_of(night.directory), "nothing runs on")


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


@slow
@pytest.mark.usefixtures("slurm")
def test_when_a_walltime_is_over_another_worker_takes_over(tmp_path: Path) -> None:
    night = night_of(tmp_path, *held(1))
    farm = FARM.model_copy(update={"walltime": "0:01:00"})

    def wait_for_its_end() -> None:
        wait_for_simulations(night, 1)
        wait_until(lambda: starts(night).total() == 2, "it is begun again")
        go(night)

    with closing(engine_for(night, 1, farm)) as engine:
        told = run_meanwhile(night, engine, wait_for_its_end)
    assert_all_passed(night, told, begun_twice=1)
    logs = [path.read_text() for path in (night.directory / "workers").glob("*.err")]
    assert sum("DUE TO TIME LIMIT" in text for text in logs) == 1


@slow
def test_a_node_that_dies_loses_nothing(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *held(6))

    def kill_a_node() -> None:
        wait_for_simulations(night)
        assert slurm.kill_node("n1"), "nothing ran there"
        go(night)

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, kill_a_node)
        assert_all_passed(night, told, begun_twice=1)
        wait_until(lambda: "down" in "".join(slurm.states()), "the controller has noticed")
        slurm.start_node("n1")
        wait_until(lambda: set(slurm.jobs().values()) == set(NODES), "the node is used again")


@slow
def test_without_its_controller_the_night_goes_on(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *held(6))

    def restart() -> None:
        wait_for_simulations(night)
        slurm.kill_controller()
        go(night)
        wait_until(lambda: len(done(night)) == 6, "it goes on")
        slurm.start_controller()

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, restart)
        wait_until(lambda: bool(slurm.states()), "the controller is back")
    assert_all_passed(night, told)
    wait_until(lambda: not slurm.ask("squeue", "-h"), "no worker job is left")


@slow
def test_a_worker_lost_while_the_controller_is_away_is_replaced_when_it_is_back(
    tmp_path: Path, slurm: PrivateSlurm
) -> None:
    night = night_of(tmp_path, *held(4))

    def lose_all() -> None:
        wait_for_simulations(night)
        slurm.kill_controller()
        for node in NODES:
            slurm.kill_node(node)
        wait_until(lambda: bool(refused(engine)), "no other can be had")
        for node in NODES:
            slurm.start_node(node)
        slurm.start_controller()
        go(night)

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, lose_all)
    assert_all_passed(night, told, begun_twice=2)
    wait_until(lambda: not slurm.ask("squeue", "-h"), "no worker job is left")


def refused(engine: SlurmEngine) -> list[WorkerJob]:
    """Return the worker jobs that Slurm did not take."""
    asked_for: dict[str, WorkerJob] = engine._cluster.workers
    return [job for job in list(asked_for.values()) if job.status is distributed.Status.failed]


@slow
def test_a_killed_client_leaves_no_worker_behind_and_the_night_is_resumed(
    tmp_path: Path, slurm: PrivateSlurm
) -> None:
    night = night_of(tmp_path, *(job(f"p-{number}") for number in range(6)), *held(1))
    command = [sys.executable, "-m", "regressions.nightly.tests.slurm_nights", str(night.directory)]
    client = subprocess.Popen(command, cwd=REPOSITORY)  # it asks for a worker more than there are nodes
    try:
        wait_until(lambda: len(done(night)) == 6 and bool(simulations(night)), "all but one have ended")
        wait_until(lambda: len(slurm.jobs("pending")) == 1, "one worker waits")
    finally:
        client.kill()
        client.wait()
    wait_until(lambda: not slurm.ask("squeue", "-h"), "its workers leave", 150)
    wait_until(lambda: not processes_of(night.directory), "nothing runs on", 10)
    resumed = open_night(night.directory)
    assert [each.name for each in jobs_left(resumed)] == ["h-0"]
    go(night)
    with closing(engine_for(night)) as engine:
        told = run_meanwhile(resumed, engine, lambda: None)
    assert [(result.job.name, result.attempt) for result in told] == [("h-0", 2)]
    assert_all_passed(night, done(night), begun_twice=1)


@slow
def test_worker_jobs_cancelled_while_they_wait_are_replaced(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, job("a-0"), job("a-1"))
    slurm.ask("scontrol", "update", f"NodeName={','.join(NODES)}", "State=DRAIN", "Reason=test")

    def cancel() -> None:
        wait_until(lambda: len(slurm.jobs("pending")) == 2, "they wait")
        before = set(slurm.jobs("pending"))
        slurm.ask("scancel", *before)
        wait_until(lambda: len(set(slurm.jobs("pending")) - before) == 2, "there are others")
        slurm.ask("scontrol", "update", f"NodeName={','.join(NODES)}", "State=RESUME")

    with closing(engine_for(night)) as engine:
        told = run_meanwhile(night, engine, cancel)
    assert_all_passed(night, told)
