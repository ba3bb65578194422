"""A run of the tests as a whole: what fails it although every test passed, and where tests write."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FOREIGN = ("PYTEST", "GA2_", "RTL")
"""How variables of this run begin that the inner one must not inherit."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the project's conftest.py on tests of our own, in a checkout that holds nothing else."""
    shutil.copy(REPOSITORY / "conftest.py", tmp_path)
    shutil.copy(REPOSITORY / "pyproject.toml", tmp_path)
    for name in ("out/run/summary.json", "regressions/lists/own.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("the user's")

    def call(tests: str, *options: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "test_inner.py").write_text(f"import os\nfrom pathlib import Path\n{tests}")
        inherited = {name: text for name, text in os.environ.items() if not name.startswith(FOREIGN)}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_inner.py", *options],
            cwd=tmp_path,
            env=inherited | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


GOOD = "def test_good(): pass\n"


@pytest.mark.parametrize(
    ("write", "name"),
    [
        ("Path('out/run/summary.json').write_text('a test')", "out/run/summary.json"),
        ("Path('out/run/summary.json').unlink()", "out/run/summary.json"),
        ("Path('out/failures').mkdir(); Path('out/failures/new').touch()", "out/failures/new"),
        ("Path('out/coverage').mkdir(); Path('out/coverage/new.json').touch()", "out/coverage/new.json"),
        ("Path('regressions/lists/failed-seeds.json').touch()", "regressions/lists/failed-seeds.json"),
        ("Path('history.sqlite').touch()", "history.sqlite"),
    ],
)
def test_test_that_changes_a_users_file_fails_the_run(run: Run, write: str, name: str) -> None:
    done = run(f"def test_bad(): {write}\n{GOOD}")
    assert done.returncode == 1
    assert "2 passed" in done.stdout
    assert f"changed 1 files of the user's, {name} first" in done.stdout


def test_workers_write_to_directories_of_their_own_which_a_good_run_removes(run: Run, tmp_path: Path) -> None:
    write = """
def test_it():
    out = Path(os.environ["GA2_OUT"])
    assert out.parent.parent == Path("out/tests").absolute()
    assert out.name == os.environ["PYTEST_XDIST_WORKER"]
    out.mkdir(parents=True)
"""
    done = run(write, "-n", "1")
    assert done.returncode == 0, done.stdout
    assert not list((tmp_path / "out" / "tests").iterdir())


@pytest.mark.parametrize("option", ["--coverage", "--code-coverage"])
def test_coverage_that_no_test_collects_fails_the_run(run: Run, option: str) -> None:
    directory = Path("out") / option.removeprefix("--")
    name = option.removeprefix("--").replace("-", "_").upper()
    assert run(GOOD).returncode == 0
    empty = run(GOOD, option)
    assert empty.returncode == 1
    assert f"{name}=1: these tests collected none." in empty.stdout
    collecting = f"""
def test_it():
    Path("{directory}").mkdir(exist_ok=True)
    Path("{directory}/x").write_bytes(os.urandom(9))
"""
    for _ in range(2):  # the second takes the place of the first's
        full = run(collecting, option)
        assert full.returncode == 0, full.stdout


def test_rtl_that_no_test_tries_fails_the_run(run: Run) -> None:
    done = run(GOOD, RTL="my/files.f")
    assert done.returncode == 1
    assert "RTL=my/files.f: none of these tests runs on a simulator; it was not tried." in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-k", "none"], "No test in test_inner.py matches TEST='none': see pytest --collect-only."),
        (["-k", "none", "-n", "1"], "No test in test_inner.py matches TEST='none'"),
        (["--deselect", "test_inner.py"], "No test in test_inner.py: see pytest --collect-only."),
    ],
)
def test_run_without_a_test_names_what_was_asked_for(run: Run, options: list[str], message: str) -> None:
    done = run(GOOD, *options)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    assert message in done.stdout
