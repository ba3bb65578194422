"""The sources of which a night or a campaign must not change between its parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressions.sources import changed_sources, source_digests
from verif.simulation.sim_make import REPOSITORY

FILES = ("hdl/rtl/a.sv", "refmodel/b.py", "sequences/deep/er/c.toml", "verif/d.py", "verif/bfm/native/e.c")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in FILES:
        write(tmp_path / name, "as it was")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("name", [*FILES, "sequences/new.py"])
def test_what_is_changed_or_new_is_named(repository: Path, name: str) -> None:
    before = source_digests(repository)
    assert changed_sources(before, source_digests(repository)) == ""
    write(repository / name, "otherwise")
    assert changed_sources(before, source_digests(repository)) == name


def test_what_is_gone_is_named(repository: Path) -> None:
    before = source_digests(repository)
    (repository / FILES[1]).unlink()
    assert changed_sources(before, source_digests(repository)) == FILES[1]


def test_many_are_counted(repository: Path) -> None:
    before = source_digests(repository)
    for number in range(7):
        write(repository / "verif" / f"x{number}.py", "")
    told = changed_sources(before, source_digests(repository))
    assert told == "verif/x0.py, verif/x1.py, verif/x2.py, verif/x3.py, verif/x4.py and 2 more"


def test_what_no_simulation_depends_on_may_change(repository: Path) -> None:
    before = source_digests(repository)
    for name in ("verif/tests/test_d.py", "verif/README.md", "verif/__pycache__/d.pyc", "regressions/x.py"):
        write(repository / name, "otherwise")
    (repository / "verif" / ".#d.py").symlink_to("user@host.1234")  # an editor's lock
    assert source_digests(repository) == before


def test_the_project_itself_has_them() -> None:
    """RTL, harness, model, stimulus, bench, coverage definitions, golden bundles."""
    found = source_digests(REPOSITORY)
    assert found.keys() > {
        "hdl/rtl/ga2.sv",
        "hdl/tb/ga2_tb.sv",
        "refmodel/machine/machine.py",
        "sequences/random_programs/default_weights.toml",
        "sequences/golden/softmax.json",
        "verif/scoreboard/scoreboard.py",
        "verif/uvm_tests/base_test.py",
    }
