"""The Makefile: which command each target runs with which options."""

import subprocess

import pytest

from verif.simulation.sim_make import REPOSITORY


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (["nightly"], "nightly nightly --jobs=3"),
        (["nightly", "LIST=weekly", "SEED=7"], "nightly weekly --seed=7 --jobs=3"),
        (["smoke", "TEST=decode", "RESUME=1"], "nightly smoke --only=decode --resume last --jobs=3"),
        (["report"], "report"),
        (["report", "LIST=weekly"], "report --list=weekly"),
        (["close"], "close"),
        (["close", "LIST=my.toml", "SEED=2", "RESUME=1"], "close --seed=2 --resume --list=my.toml"),
        (["close", "RESUME=0"], "close"),
        (["qualify", "SIM=icarus"], "qualify --sim=icarus"),
        (["run", "SIM=verilator"], "run --sim=verilator"),
    ],
)
def test_a_target_runs_its_command(arguments: list[str], command: str) -> None:
    printed = subprocess.run(
        ["make", "-s", "-o", "setup", *arguments, "JOBS=3", "PYTHON=echo"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.splitlines()[-1] == f"-m regressions {command}"
