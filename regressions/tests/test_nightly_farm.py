"""`nightly --engine slurm` from the command line, on a Slurm of the test's own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regressions.exit_status import ExitStatus
from regressions.nightly.tests.planted import ROUNDING, plant
from regressions.nightly.tests.private_slurm import PrivateSlurm, private_slurm, why_there_is_none
from regressions.nightly.tests.processes import kill_all, processes_of, wait_until
from regressions.tests.conftest import CommandLine, MakeList, nights_of
from verif.simulation.plain_path import REPOSITORY

needs_slurm = pytest.mark.skipif(bool(why_there_is_none()), reason=why_there_is_none())

LIST = """
description = "small enough to be run often"

[[test]]
name = "quick"
test = "named_programs.NamedProgramsTest"
timeout = 120
parameters = { programs = ["vectors/sm-one-apart", "golden/fault-first"], seed = "$seed" }
"""

SWEEP = """
[[test]]
name = "sweep"
test = "named_programs.NamedProgramsTest"
build = "x-random"
initial_states = 2
timeout = 120
parameters = { programs = ["golden/matmul-plain"], seed = "$seed" }
"""

FAILING = """
description = "finds one bug twice"

[[test]]
name = "rounding"
test = "named_programs.NamedProgramsTest"
reseed = 2
reason = "one bug, two seeds"
simulators = ["icarus"]
timeout = 300
parameters = { programs = ["requantizer/one"], seed = "$seed" }
"""

ENDLESS = """
[[test]]
name = "endless"
test = "broken_bench.EndlessTest"
simulators = ["icarus"]
timeout = 400
"""

FARM = 'workers = 2\nmemory = "1GB"\nwalltime = "0:30:00"\ninterface = "lo"\n'


@pytest.fixture
def own_list(make_list: MakeList) -> Path:
    return make_list(LIST)


@pytest.fixture
def farm(tmp_path: Path) -> Path:
    path = tmp_path / "farm.toml"
    path.write_text(FARM, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def slurm() -> Iterator[PrivateSlurm]:
    with private_slurm() as started:
        yield started


def assert_refused(command_line: CommandLine, own_list: Path, message: str, *options: object) -> None:
    """Check for one message, status 2, and that no night was begun."""
    outcome = command_line("nightly", own_list, *options)
    assert (outcome.status, outcome.output) == (2, "")
    assert message in outcome.error
    assert outcome.error.count("\n") == 1
    assert not nights_of(own_list)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--engine", "slrum"],
            "--engine: unknown name 'slrum'; there are local, slurm; did you mean slurm?",
        ),
        (
            ["--engine", "slurm"],
            "--engine slurm and --farm FILE belong together; docs/farm.toml is an example",
        ),
        (["--farm", "FARM"], "--engine slurm and --farm FILE belong together"),
        (
            ["--engine", "slurm", "--farm", "none.toml"],
            "none.toml: cannot be read: No such file or directory",
        ),
        (["--engine", "slurm", "--farm", "FARM", "--jobs", "3"], "--jobs is for --engine local"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    command_line: CommandLine, own_list: Path, farm: Path, options: list[str], message: str
) -> None:
    given = [str(farm) if each == "FARM" else each for each in options]
    assert_refused(command_line, own_list, message, *given)


def test_an_unknown_key_is_told_with_the_nearest(
    command_line: CommandLine, own_list: Path, farm: Path
) -> None:
    farm.write_text(f'{FARM}acount = "ga2"\n', encoding="utf-8")
    message = "farm.toml: acount: unknown key; did you mean account?"
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


def test_without_slurms_commands_no_night_is_begun(
    command_line: CommandLine, own_list: Path, farm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    message = "--engine slurm: sbatch not found: run this where Slurm's commands are"
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


@needs_slurm
@pytest.mark.parametrize(
    ("key", "message"),
    [
        ('queue = "smi"', "--engine slurm: unknown queue 'smi'; did you mean sim?"),
        ('directives = ["--nodelist=n9"]', "--engine slurm: sbatch: allocation failure: "),
        ('directives = ["--mem=900G"]', "--engine slurm: sbatch: allocation failure: "),
    ],
)
def test_what_the_farm_does_not_take_is_told_at_once(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    slurm: PrivateSlurm,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    message: str,
) -> None:
    monkeypatch.setenv("SLURM_CONF", str(slurm.configuration))
    farm.write_text(f"{FARM}{key}\n", encoding="utf-8")
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)
    assert slurm.ask("squeue", "-h") == ""


@needs_slurm
@pytest.mark.slow
def test_a_controller_that_does_not_answer_is_told(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    slurm: PrivateSlurm,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    away = tmp_path / "slurm.conf"
    lines = slurm.configuration.read_text(encoding="utf-8").splitlines()
    lines = ["SlurmctldPort=1" if line.startswith("SlurmctldPort") else line for line in lines]
    away.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("SLURM_CONF", str(away))
    message = "--engine slurm: sinfo: slurm_load_partitions: Unable to contact slurm controller"
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "sbatch: error: Invalid account; account 'ga3' is none of yours; did you mean ga2?"),
        (["exit 1"], "sbatch: error: Invalid account\n"),
    ],
)
def test_an_unknown_account_is_told_with_the_nearest_where_slurm_keeps_accounts(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    lines: list[str],
    message: str,
) -> None:
    """A Slurm that keeps accounts needs a data base of its own, so its commands are told what to say."""
    told = {"sinfo": "echo sim*", "sbatch": "echo 'sbatch: error: Invalid account' >&2; exit 1"}
    told |= {"squeue": "", "scancel": "", "sacctmgr": "\n".join([*lines, "echo root", "echo ga2"])}
    for name, text in told.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("SLURM_CONF", raising=False)
    farm.write_text(f'{FARM}account = "ga3"\n', encoding="utf-8")
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


def test_a_configuration_that_is_not_there_is_told_at_once(
    command_line: CommandLine, own_list: Path, farm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("sinfo", "sbatch", "squeue", "scancel"):  # none is called
        (tmp_path / name).touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("SLURM_CONF", str(tmp_path / "slrum.conf"))
    message = f"--engine slurm: there is no file {tmp_path}/slrum.conf; set SLURM_CONF right, or not at all"
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


@needs_slurm
def test_a_configuration_that_is_none_is_told(
    command_line: CommandLine, own_list: Path, farm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLURM_CONF", str(farm))
    message = (
        f"fatal: Unable to process configuration file; is slurmctld running, and SLURM_CONF={farm} right?"
    )
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


@needs_slurm
@pytest.mark.parametrize("walltime", ["0:05:00", "0:08:00"])
def test_a_walltime_that_is_too_short_is_told(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    slurm: PrivateSlurm,
    monkeypatch: pytest.MonkeyPatch,
    walltime: str,
) -> None:
    monkeypatch.setenv("SLURM_CONF", str(slurm.configuration))
    farm.write_text(FARM.replace("0:30:00", walltime), encoding="utf-8")
    message = (
        f"--farm: walltime {walltime} is too short: quick-000-icarus may take 0:08:00, 4 times its timeout"
    )
    assert_refused(command_line, own_list, message, "--engine", "slurm", "--farm", farm)


@needs_slurm
@pytest.mark.slow
def test_a_night_on_the_farm_is_the_same_as_one_here(nights: Nights, own_list: Path) -> None:
    own_list.write_text(LIST + SWEEP, encoding="utf-8")
    on_farm, here = nights(ExitStatus.GOOD)
    assert on_farm["summary"]["statuses"]["passed"] == len(on_farm["coverage"]) == 5
    assert on_farm["summary"]["coverage"]["hit"] > 20
    assert on_farm["summary"]["initial_states"]["compared"] == 1
    assert all(each["cycles"] and each["seed"] for each in on_farm["summary"]["jobs"])
    assert on_farm == here


@needs_slurm
@pytest.mark.slow
def test_a_night_on_the_farm_has_the_same_buckets_as_one_here(
    nights: Nights, own_list: Path, rtl_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant((ROUNDING,), rtl_directory, monkeypatch)
    own_list.write_text(FAILING, encoding="utf-8")
    on_farm, here = nights(ExitStatus.MISMATCH)
    (bucket,) = on_farm["summary"]["buckets"]
    assert (bucket["count"], bucket["opcode"]) == (2, "RQ")
    assert bucket["shrunk"].startswith("shrunk to 1 instruction")
    assert len(json.loads(on_farm["failed seeds"])) == len(on_farm["failures"]) == 2
    assert on_farm == here


Nights = Callable[[ExitStatus], list[dict[str, Any]]]


@pytest.fixture
def nights(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    slurm: PrivateSlurm,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Nights:
    """Run a list on the farm and here, and return what came of both."""
    monkeypatch.setenv("SLURM_CONF", str(slurm.configuration))

    def run(status: ExitStatus) -> list[dict[str, Any]]:
        found = []
        for name, options in {"farm": ["--engine", "slurm", "--farm", farm], "here": ["--jobs", 1]}.items():
            failed = tmp_path / f"{name}.json"
            own = ["--failed-seeds", failed, "--history", tmp_path / f"{name}.sqlite"]
            before = set(nights_of(own_list))
            outcome = command_line("nightly", own_list, "--seed", 5, *own, *options)
            assert outcome.status == status, outcome
            (night,) = set(nights_of(own_list)) - before
            found.append(
                what_came_of(night) | {"failed seeds": failed.read_text() if failed.exists() else ""}
            )
            assert not slurm.jobs("pending,running")
        return found

    return run


def what_came_of(night: Path) -> dict[str, Any]:
    """Return what a night leaves, but for its name and for what it took."""
    text = (night / "summary.json").read_text(encoding="utf-8")
    summary = json.loads(text.replace(night.name, "NIGHT"))
    for key in ("cost", "began"):
        del summary[key]
    for each in summary["jobs"]:
        del each["seconds"], each["simulation_cpu"]
    coverage = {path.name: path.read_text(encoding="utf-8") for path in (night / "coverage").iterdir()}
    failures = sorted(path.name for path in (night / "failures").iterdir())
    return {"summary": summary, "coverage": coverage, "failures": failures}


@needs_slurm
@pytest.mark.slow
def test_ctrl_c_takes_the_worker_jobs_back_and_resume_runs_the_rest(
    own_list: Path, farm: Path, slurm: PrivateSlurm, tmp_path: Path
) -> None:
    own_list.write_text(LIST + ENDLESS, encoding="utf-8")
    farm.write_text(FARM.replace("workers = 2", "workers = 3"), encoding="utf-8")  # one waits in the queue
    command = [
        sys.executable,
        "-m",
        "regressions",
        "nightly",
        str(own_list),
        "--engine",
        "slurm",
        "--farm",
        str(farm),
    ]
    command += [
        "--failed-seeds",
        str(tmp_path / "failed.json"),
        "--history",
        str(tmp_path / "history.sqlite"),
    ]
    environment = {**os.environ, "SLURM_CONF": str(slurm.configuration)}
    first = subprocess.Popen(
        command,
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        wait_until(lambda: bool(nights_of(own_list)), "it has begun", 300)
        (night,) = nights_of(own_list)
        wait_until(
            lambda: passed_in(night) == 2 and bool(endless_ones(night)), "the endless one is alone", 120
        )
        assert (len(slurm.jobs()), len(slurm.jobs("pending"))) == (2, 1)
        os.killpg(first.pid, signal.SIGINT)  # as a terminal does
        output, error = first.communicate(timeout=600)
    finally:
        first.kill()
        first.wait()
    assert first.returncode == 130, output + error
    assert error.splitlines() == ["error: interrupted"]
    assert "NOT good: 1 without a result, endless-000-icarus first; --resume runs them" in output
    wait_until(lambda: not slurm.ask("squeue", "-h"), "no worker job is left", 10)
    wait_until(lambda: not processes_of(night), "nothing runs on", 10)

    second = subprocess.Popen([*command, "--resume", "last"], cwd=REPOSITORY, env=environment)
    try:
        wait_until(lambda: bool(endless_ones(night)), "it is begun again")
        kill_all(endless_ones(night))
        assert second.wait(timeout=600) == 1
    finally:
        second.kill()
        second.wait()
    jobs = json.loads((night / "summary.json").read_text(encoding="utf-8"))["jobs"]
    assert {each["name"]: (each["status"], each["attempt"]) for each in jobs} == {
        "quick-000-icarus": ("passed", 1),
        "quick-000-verilator": ("passed", 1),
        "endless-000-icarus": ("killed", 2),
    }
    assert not slurm.ask("squeue", "-h")


def endless_ones(night: Path) -> list[int]:
    """Return the simulations of a night on Icarus."""
    names = {process: Path(f"/proc/{process}/comm") for process in processes_of(night)}
    return [process for process, path in names.items() if path.exists() and path.read_text() == "vvp\n"]


def passed_in(night: Path) -> int:
    results = [json.loads(path.read_text(encoding="utf-8")) for path in (night / "results").glob("*.json")]
    return sum(each["status"] == "passed" for each in results)
