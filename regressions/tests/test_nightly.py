"""`nightly` from the command line, on both simulators."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from regressions.exit_status import ExitStatus
from regressions.history.database import HISTORY_VARIABLE
from regressions.nightly import session
from regressions.nightly.night import Night
from regressions.nightly.tests.processes import processes_of, wait_until
from regressions.tests.conftest import CommandLine, MakeList, nights_of
from verif.simulation.plain_path import REPOSITORY

LIST = """
description = "small enough to be run often"

[[test]]
name = "quick"
test = "named_programs.NamedProgramsTest"
timeout = 120
tags = ["quick"]
parameters = { programs = ["vectors/sm-one-apart", "golden/fault-first"], seed = "$seed" }

[[test]]
name = "sweep"
test = "random_programs.RandomProgramTest"
build = "x-random"
initial_states = 2
timeout = 120
tags = ["sweep"]
parameters = { seed = "$seed", count = 8, weights = "sequences/random_programs/short_weights.toml" }

[[test]]
name = "endless"
test = "broken_bench.EndlessTest"
simulators = ["icarus"]
timeout = 6

[[test]]
name = "shot"
test = "broken_bench.KilledTest"
simulators = ["verilator"]
timeout = 120
"""


@pytest.fixture
def own_list(make_list: MakeList) -> Path:
    return make_list(LIST)


@pytest.fixture(autouse=True)
def _own_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HISTORY_VARIABLE, str(tmp_path / "history.sqlite"))


def summary(directory: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    return document


def test_a_list_is_shown_and_nothing_runs(command_line: CommandLine, own_list: Path) -> None:
    shown = command_line("nightly", own_list, "--list", "--seed", 5)
    assert shown.status == 0
    lines = shown.output.splitlines()
    assert [line.split()[0] for line in lines] == [
        *("job", "quick-000-icarus", "quick-000-verilator"),
        *("sweep-000-icarus", "sweep-000-verilator-x0", "sweep-000-verilator-x1"),
        *("endless-000-icarus", "shot-000-verilator", "7"),
    ]
    assert lines[-1] == "7 jobs, seed 5"
    filtered = command_line("nightly", own_list, "--list", "--seed", 5, "-k", "quick", "--sim", "icarus")
    (one,) = filtered.output.splitlines()[1:-1]
    assert one.split() == lines[1].split()
    assert not nights_of(own_list)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["nigthly"],
            "LIST: unknown name 'nigthly'; there are smoke, nightly, weekly, closure; did you mean",
        ),
        (["OWN", "-k", "none"], "--only none: matches none of 7 jobs; --list shows them"),
        (["OWN", "--tag", "quik"], "--tag: unknown name 'quik'; there are quick, sweep; did you mean quick?"),
        (["OWN", "--sim", "verlator"], "--sim: unknown name 'verlator'; there are icarus, verilator; did"),
        (
            ["OWN", "--seed", "0"],
            "Invalid value for '--seed': 0 is out of range; give a seed from 1 to 2147483647",
        ),
        (["OWN", "--resume", "last"], "there is no night of list own"),
        (["OWN", "--resume", "x"], "there is no night 'x': neither a directory with its files nor in "),
        (
            ["OWN", "--resume", "x", "--seed", "3"],
            "--resume goes on with a night as it was planned: no --list",
        ),
        (["OWN", "--resume", "", "-k", "none"], "--resume goes on with a night as it was planned: no --list"),
        (["OWN", "--failed-seeds", "none/f"], "none/f: there is no directory none; make it first"),
        (["none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["MALFORMED"], "malformed.toml:7: quick: timeuot: unknown key; did you mean timeout?"),
        (
            ["OWN", "--history", str(REPOSITORY / "README.md")],
            "README.md: is damaged (file is not a database)",
        ),
        (
            ["OWN", "--failed-seeds", "DAMAGED"],
            "failed.json: 0.name: Input should be a valid string; correct",
        ),
        (["OWN", "--history", "none/h.sqlite"], "there is no directory none; make it first"),
    ],
)
def test_bad_input_is_one_message_and_leaves_nothing(
    command_line: CommandLine, own_list: Path, arguments: list[str], message: str
) -> None:
    malformed = own_list.with_name("malformed.toml")
    malformed.write_text(LIST.replace("timeout", "timeuot"), encoding="utf-8")
    damaged = own_list.with_name("failed.json")
    damaged.write_text('[{"name": 3}]', encoding="utf-8")
    given = {"OWN": own_list, "MALFORMED": malformed, "DAMAGED": damaged}
    outcome = command_line("nightly", *(given.get(each, each) for each in arguments))
    assert outcome.status == 2
    assert message in outcome.error
    assert outcome.error.count("\n") == 1
    assert not nights_of(own_list)
    assert not nights_of(malformed)


def test_without_a_simulator_no_night_is_begun(
    command_line: CommandLine, own_list: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RTL", "no/such/files.sv")
    outcome = command_line("nightly", own_list, "-k", "quick", "--sim", "icarus")
    assert outcome.status == 2
    assert "no such source file: no/such/files.sv" in outcome.error
    assert not nights_of(own_list)


def test_no_mutants_are_tried_beside_own_rtl(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = command_line("nightly", "nightly", "--list", "-k", "mutants")
    assert "mutants-000-verilator" in shown.output
    assert "own RTL" not in shown.output
    monkeypatch.setenv("RTL", "my/files.f")
    shown = command_line("nightly", "nightly", "--list", "-k", "mutants")
    assert "RTL= names your own RTL, but the project's is what is broken here" in shown.output


@pytest.mark.parametrize(("part", "workers"), [("quick-000-icarus", 1), ("quick", 2), ("", 3)])
def test_no_more_workers_are_started_than_there_are_jobs(
    command_line: CommandLine, own_list: Path, monkeypatch: pytest.MonkeyPatch, part: str, workers: int
) -> None:
    started: list[int] = []

    def run_session(_: Night, workers: int, *__: object, **___: object) -> ExitStatus:
        started.append(workers)
        return ExitStatus.GOOD

    monkeypatch.setattr(session, "build_for", lambda *_: None)
    monkeypatch.setattr(session, "run_session", run_session)
    assert command_line("nightly", own_list, "-k", part, "--jobs", 3).status == 0
    assert started == [workers]


@pytest.mark.slow
def test_ctrl_c_tells_what_finished_and_resume_runs_the_rest(own_list: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regressions", "nightly", str(own_list)]
    options = ["--jobs", "2", "--failed-seeds", str(tmp_path / "failed.json")]
    first = subprocess.Popen(
        [*command, "--seed", "11", *options],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: bool(nights_of(own_list)), "it has begun", 300)
    (night,) = nights_of(own_list)
    wait_until(lambda: (night / "attempts/endless-000-icarus/1/simulation/sim.log").exists(), "it runs")
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: to the workers too
    output, error = first.communicate(timeout=600)
    assert first.returncode == 130, output + error
    assert error.splitlines() == ["error: interrupted"]
    assert "without a result" in output
    assert "first; --resume runs them" in output
    wait_until(lambda: not processes_of(night), "nothing runs on")
    before = summary(night)
    assert before["statuses"]["passed"] >= 4, "all but the one that ran beside it"
    passed = {each["name"] for each in before["jobs"] if each["status"] == "passed"}
    assert "endless-000-icarus" in before["missing"]

    second = subprocess.run(
        [*command, "--resume", "last", *options], cwd=REPOSITORY, capture_output=True, text=True, timeout=600
    )
    assert second.returncode == 1, second.stdout + second.stderr
    assert nights_of(own_list) == [night]
    after = summary(night)
    assert after["base_seed"] == 11
    assert after["missing"] == []
    found = {each["name"]: (each["status"], each["attempt"]) for each in after["jobs"]}
    assert {each for name, each in found.items() if name in passed} == {("passed", 1)}
    assert after["statuses"]["passed"] == 5
    assert found["endless-000-icarus"] == ("timeout", 2)
    assert found["shot-000-verilator"][0] == "killed"
    assert after["initial_states"] == {"compared": 1, "dependent": [], "not_compared": []}
    assert after["coverage"]["hit"] > 100
    assert [each["entry"] for each in json.loads((tmp_path / "failed.json").read_text())] == ["endless"]
    assert not processes_of(night)


@pytest.mark.slow
def test_two_nights_in_one_checkout_do_not_touch_each_other(own_list: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "regressions", "nightly", str(own_list), "-k", "quick", "--jobs", "1"]
    command += ["--failed-seeds", str(tmp_path / "failed.json")]
    running = [
        subprocess.Popen([*command, "--seed", seed], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
        for seed in ("21", "22")
    ]
    outputs = [each.communicate(timeout=600)[0] for each in running]
    assert [each.returncode for each in running] == [0, 0], outputs
    assert sum("\nreport: " in output for output in outputs) == 2
    assert all((night / "report/index.html").is_file() for night in nights_of(own_list))
    documents = [summary(night) for night in nights_of(own_list)]
    assert sorted(each["base_seed"] for each in documents) == [21, 22]
    for document in documents:
        assert document["statuses"]["passed"] == 2
        assert {each["attempt"] for each in document["jobs"]} == {1}
    seeds = [{each["seed"] for each in document["jobs"]} for document in documents]
    assert seeds[0].isdisjoint(seeds[1])
    alone = command_again(command, "21")
    assert {each["seed"] for each in alone["jobs"]} in seeds


def command_again(command: list[str], seed: str) -> dict[str, Any]:
    """Return what the same night brings once more."""
    path = Path(command[4])
    before = set(nights_of(path))
    subprocess.run([*command, "--seed", seed], cwd=REPOSITORY, check=True, capture_output=True, timeout=600)
    (night,) = set(nights_of(path)) - before
    return summary(night)
