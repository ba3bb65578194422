"""`nightly --engine slurm` from the command line, on a Slurm of the test's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from regressions.nightly.tests.private_slurm import PrivateSlurm, private_slurm, why_there_is_none
from regressions.tests.conftest import CommandLine, MakeList, nights_of

needs_slurm = pytest.mark.skipif(bool(why_there_is_none()), reason=why_there_is_none())

LIST = """
description = "small enough to be run often"

[[test]]
name = "quick"
test = "named_programs.NamedProgramsTest"
timeout = 120
parameters = { programs = ["vectors/sm-one-apart", "golden/fault-first"], seed = "$seed" }
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
        (["--engine", "slurm", "--farm", "none.toml"], "none.toml: No such file or directory"),
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


@needs_slurm
@pytest.mark.slow
def test_a_night_on_the_farm_is_as_good_as_one_here(
    command_line: CommandLine,
    own_list: Path,
    farm: Path,
    slurm: PrivateSlurm,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("SLURM_CONF", str(slurm.configuration))
    options = ["--seed", 5, "--failed-seeds", tmp_path / "failed.json"]
    outcomes = [
        command_line("nightly", own_list, *options, *more)
        for more in (["--engine", "slurm", "--farm", farm], ["--jobs", 1])
    ]
    assert [outcome.status for outcome in outcomes] == [0, 0], outcomes
    documents = [json.loads((night / "summary.json").read_text()) for night in nights_of(own_list)]
    for document in documents:
        assert document["statuses"]["passed"] == len(document["jobs"]) == 2
        assert document["cost"].pop("busy") > 0
        del document["cost"], document["began"]
        for each in document["jobs"]:
            del each["seconds"], each["simulation_cpu"]
    assert documents[0] == documents[1]
    assert not slurm.jobs("pending,running")
