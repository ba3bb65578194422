"""The Makefile: which command each target runs with which options, and that no option reaches the tests."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY

COMMANDS = [
    ("nightly", "regressions nightly nightly"),
    ("nightly LIST=weekly SEED=7 JOBS=3", "regressions nightly weekly --seed=7 --jobs=3"),
    ("nightly TAG=random SIM=icarus", "regressions nightly nightly --tag=random --sim=icarus"),
    ("smoke TEST=decode RESUME=1", "regressions nightly smoke --only=decode --resume last"),
    ("report", "regressions report"),
    ("report LIST=weekly", "regressions report --list=weekly"),
    ("close", "regressions close"),
    ("close LIST=my.toml SEED=2 RESUME=1", "regressions close --seed=2 --resume --list=my.toml"),
    ("close RESUME=0", "regressions close"),
    ("qualify SIM=icarus", "regressions qualify --sim=icarus"),
    ("gates", "regressions gates"),
    ("gates SIM=icarus", "regressions gates --sim=icarus"),
    ("prove", "regressions prove"),
    ("run SIM=verilator", "regressions run --sim=verilator"),
    ("bench", "regressions bench"),
    ("testplan", "regressions testplan"),
    ("walkthrough", "regressions walkthrough"),
    ("test", "pytest"),
    ("test SIM=icarus TEST=a SEED=2 JOBS=3", "pytest --sim=icarus -k a --seed=2 --dist worksteal -n 3"),
    ("test WAVES=all COVERAGE=1", "pytest --waves=all --coverage"),
    ("test CODE_COVERAGE=1 COVERAGE=0", "pytest --code-coverage"),
    ("test FILE=hdl", "pytest hdl"),
    ("test-all FILE=conftest.py::test[a]", "pytest --run-slow conftest.py::test[a]"),
]
"""What is typed after make, and the last command that it runs, without the default number of jobs."""

OPTIONS = set(re.findall(r"([A-Z_]+)=", " ".join(typed for typed, _ in COMMANDS)))
RTL_OPTIONS = {"RTL", "SCRATCHPAD"}

HERE = Path(__file__).relative_to(REPOSITORY)


def make(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Call make as from a new terminal, where nothing is set that this run of the tests was given."""
    terminal = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        ["make", *arguments], cwd=REPOSITORY, env=terminal, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("typed", "command"), COMMANDS)
def test_target_runs_its_command_with_its_options(typed: str, command: str) -> None:
    done = make("-o", "setup", "PYTHON=echo", *typed.split())
    assert done.returncode == 0, done.stderr
    words = done.stdout.splitlines()[-1].split()
    if "JOBS=" not in typed:
        words = (
            " ".join(words)
            .replace(f" --jobs={os.cpu_count()}", "")
            .replace(f" --dist worksteal -n {os.cpu_count()}", "")
            .split()
        )
    assert words == ["-m", *command.split()]


def test_value_of_an_option_is_one_word_and_never_expanded() -> None:
    typed = "a b$(shell echo c)`echo d`;'e"
    done = make("-o", "setup", "PYTHON=echo", "run", f"SIM={typed}")
    assert done.stdout == f"-m regressions run --sim={typed}\n"


def test_every_option_and_target_of_the_documents_is_tried_here() -> None:
    text = make("help").stdout
    documents = (REPOSITORY / "README.md").read_text(encoding="utf-8") + text
    assert set(re.findall(r"\b([A-Z_]{3,})=", documents)) == OPTIONS | RTL_OPTIONS
    simple = {"lint", "format", "setup", "clean", "distclean"}  # without an option
    documented = set(re.findall(r"(?:^|; )make ([a-z-]+)", text, re.MULTILINE))
    assert documented == {typed.split()[0] for typed, _ in COMMANDS} | simple


def test_test_run_takes_every_option() -> None:
    options = "SIM=verilator TEST=test_target SEED=2 JOBS=1 WAVES=none COVERAGE=0 CODE_COVERAGE=0"
    done = make("test", f"FILE={HERE}", *options.split())
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(COMMANDS)} passed" in done.stdout


def test_programs_that_make_starts_see_no_option_of_it_but_the_rtl(tmp_path: Path) -> None:
    """An inherited option would become one of sim.mk, and of every make that a test calls."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nenv\n")
    python.chmod(0o755)
    options = [f"{name}=1" for name in sorted(OPTIONS | RTL_OPTIONS) if name != "FILE"]
    seen = {line.partition("=")[0] for line in make("test", f"PYTHON={python}", *options).stdout.splitlines()}
    assert not seen & {*OPTIONS, "MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL"}
    assert seen >= RTL_OPTIONS


@pytest.mark.parametrize("file", ["no/such.py", "hdl/none.py::test_it", "hdl no/such.py"])
def test_file_that_does_not_exist_is_one_line(file: str) -> None:
    done = make("test", f"FILE={file}")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "no such file; name a file or directory of tests, or FILE::TEST" in done.stderr
    assert done.stdout == ""
