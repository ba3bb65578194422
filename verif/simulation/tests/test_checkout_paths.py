"""A checkout may lie anywhere: below a directory with blanks and with letters beyond ASCII, for example."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY
from verif.waves.dump import WaveDump

COPIED = (
    "hdl",
    "refmodel",
    "regressions",
    "sequences",
    "tools",
    "verif",
    "Makefile",
    "requirements.txt",
    "sim.mk",
)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the sources in such a place, with this checkout's Python environment."""
    monkeypatch.delenv("GA2_OUT")  # what a command writes goes into the copy
    copy = tmp_path / "my wörk $(touch PWNED)"
    copy.mkdir()
    for name in COPIED:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(
                source, copy / name, ignore=shutil.ignore_patterns("__pycache__", "failed-seeds.json")
            )
        else:
            shutil.copy(source, copy / name)
    (copy / ".venv").symlink_to(REPOSITORY / ".venv")
    return copy


@pytest.mark.slow("verilator")
def test_simulation_runs_below_blanks_and_letters_beyond_ascii(simulator: str, checkout: Path) -> None:
    bundle = checkout / "é ü.json"
    shutil.copy(checkout / "sequences" / "golden" / "load-store.json", bundle)
    command = [
        ".venv/bin/python",
        "-m",
        "regressions",
        "replay",
        bundle.name,
        "--sim",
        simulator,
        "--waves",
        "all",
    ]
    for each in (["make", "setup"], command, ["make", "-s", "-f", "sim.mk", f"build-{simulator}"]):
        done = subprocess.run(each, cwd=checkout, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    (dump,) = (checkout / "out" / "waves").glob("*.fst")
    assert "é ü" in dump.name
    assert len(WaveDump(dump).names) > 100
    assert not list(checkout.rglob("PWNED"))
    assert not list(checkout.glob("*.fst"))
