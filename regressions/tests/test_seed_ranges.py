"""A seed that is out of range is refused with its range, wherever it comes in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from regressions.tests.conftest import CommandLine
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import run_make


@pytest.mark.parametrize(
    ("command", "option", "seed", "smallest"),
    [
        ("decode", "--target-seed", -1, 0),
        ("decode", "--draft-seed", 2**31, 0),
        ("study blocks", "--target-seed", -1, 0),
        ("study equality", "--seed", -1, 0),
        ("close", "--seed", -1, 0),
        ("nightly smoke", "--seed", 0, 1),
        ("nightly smoke", "--seed", 2**31, 1),
    ],
)
def test_a_command_refuses_a_seed_out_of_range(
    command: str, option: str, seed: int, smallest: int, command_line: CommandLine
) -> None:
    outcome = command_line(*command.split(), option, seed)
    message = f"{seed} is out of range; give a seed from {smallest} to 2147483647"
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.error == f"error: Invalid value for '{option}': {message}\n"


def test_tests_refuse_a_seed_out_of_range() -> None:
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "--seed=-1", "verif/tests"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--seed: -1 is out of range; give a seed from 1 to 2147483647" in done.stderr


@pytest.mark.parametrize("seed", ["-1", "0", "2147483648", "99999999999999999999", "one"])
def test_a_simulation_refuses_a_seed_out_of_range(seed: str, simulator: str) -> None:
    settings = {
        "SEED": seed,
        "RUN_DIR": REPOSITORY / "out" / "never",
        "TEST_MODULE": "verif.uvm_tests.replay",
    }
    status, output = run_make(f"run-{simulator}", settings)
    assert status == 2
    assert "SEED" in output
    assert "from 1 to 2147483647" in output
