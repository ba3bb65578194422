"""Workers on a Slurm of the test's own: how they are set up, counted, closed, and kept from coming."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import dask
import pytest

from regressions.nightly import dask_engine, slurm_engine
from regressions.nightly.attempt import Assignment, carry_out
from regressions.nightly.engine import Standing, run_jobs
from regressions.nightly.farm import FarmError
from regressions.nightly.night import Night
from regressions.nightly.slurm_cluster import WorkerJob
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.private_slurm import NODES, PrivateSlurm
from regressions.nightly.tests.processes import processes_of, wait_until
from regressions.nightly.tests.slurm_nights import (
    FARM,
    done,
    engine_for,
    held,
    night_of,
    run_meanwhile,
    simulate_noted,
    wait_for_simulations,
)
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import build

slow = pytest.mark.slow


@slow
def test_closing_kills_what_runs_and_takes_its_worker_jobs_back(tmp_path: Path, slurm: PrivateSlurm) -> None:
    night = night_of(tmp_path, *held(3))
    leave_behind(slurm, night)  # as by a client that was killed
    engine = engine_for(night, workers=3)
    assert not slurm.jobs("pending").keys() & {"1"}
    assert engine.standing() == Standing(here=0, queued=3)
    for each in night.plan.jobs:
        engine.submit(
            each.name, carry_out, Assignment(each, night.directory, simulate_noted, night.plan.sources)
        )
    wait_for_simulations(night)
    wait_until(lambda: engine.standing() == Standing(here=2, queued=1), "one waits in the queue")
    assert len(slurm.jobs("pending")) == 1
    leave_behind(slurm, night)  # as by a controller that was away when it was to be cancelled
    engine.close()
    wait_until(lambda: not slurm.ask("squeue", "-h"), "no worker job is left")
    wait_until(lambda: not processes_of(night.directory), "nothing runs on", 10)
    assert not done(night)


def leave_behind(slurm: PrivateSlurm, night: Night) -> None:
    """Have a worker job in the queue that no engine knows."""
    slurm.ask("sbatch", "--hold", f"--job-name=ga2-{night.directory.name[-8:]}", "--wrap=sleep 600")


def test_ctrl_c_does_not_reach_slurms_commands() -> None:
    told = asyncio.run(WorkerJob._call(["python3", "-c", "import os; print(os.getsid(0))"]))
    assert int(told) != os.getsid(0), (
        "sbatch would die between submitting a worker job and telling its number"
    )


@pytest.mark.parametrize(
    ("prologue", "said"),
    [
        (["echo no such module >&2", "exit 1"], "no such module"),
        pytest.param(
            ["module() { return 3; }", "module load iverilog", "echo never"],
            "prologue: status 3: module load iverilog",
            marks=slow,
        ),
    ],
)
def test_a_prologue_that_fails_ends_the_night_with_a_message(
    tmp_path: Path, slurm: PrivateSlurm, prologue: list[str], said: str
) -> None:
    night = night_of(tmp_path, job("a-0"))
    farm = FARM.model_copy(update={"prologue": prologue})
    with (
        closing(engine_for(night, 1, farm)) as engine,
        pytest.raises(FarmError, match=rf"no worker is there: .* end, or hang, .*\.err ends with: {said}$"),
    ):
        run_meanwhile(night, engine, lambda: None)
    logs = (night.directory / "workers").glob("*.err")
    assert {path.read_text() for path in logs} == {f"{said}\n"}
    wait_until(lambda: not slurm.ask("squeue", "-h"), "none is asked for any more")


@slow
def test_a_prologue_that_hangs_ends_the_night_with_a_message(
    tmp_path: Path, slurm: PrivateSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm_engine, "STUCK_ROUNDS", 3)
    night = night_of(tmp_path, job("a-0"))
    farm = FARM.model_copy(update={"prologue": ["sleep 600"]})
    with (
        closing(engine_for(night, 1, farm)) as engine,
        pytest.raises(FarmError, match=r"no worker is there: .* end, or hang, before they are ready"),
    ):
        run_meanwhile(night, engine, lambda: None)
    wait_until(lambda: not slurm.ask("squeue", "-h"), "none is asked for any more")


@slow
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
        run_meanwhile(night, engine, lambda: None)


@slow
def test_workers_run_in_this_checkout_on_this_rtl(
    tmp_path: Path, slurm: PrivateSlurm, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert slurm.states()
    monkeypatch.setenv("RTL", "it's mine.f")
    monkeypatch.delenv("MIRRORS", raising=False)
    night = night_of(tmp_path)
    farm = FARM.model_copy(update={"directives": ["--export=NONE"], "prologue": ["export MIRRORS=other"]})
    with closing(engine_for(night, 1, farm)) as engine:
        (ended,) = run_jobs(engine, surroundings, [("a", ["RTL", "MIRRORS"])])
    assert ended.result == (str(REPOSITORY), ["it's mine.f", ""], dask_engine.SETTINGS)
    assert not list((night.directory / "workers").glob(".keys*"))


def surroundings(names: list[str]) -> tuple[str, list[str | None], dict[str, Any]]:
    settings = {key: dask.config.get(key) for key in dask_engine.SETTINGS}
    return str(Path.cwd()), [os.environ.get(name) for name in names], settings


@slow
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
    with closing(engine_for(night_of(tmp_path))) as engine:
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
