"""Builds are repeated when what they read has changed, and only then."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

import pytest

from verif.simulation.kept_build import BuildFailed, KeptBuild, run_logged


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Return a directory with a source and a file that it includes."""
    directory = tmp_path / "sources"
    (directory / "sub").mkdir(parents=True)
    (directory / "a.sv").write_text("a")
    (directory / "sub" / "x.svh").write_text("x")
    time.sleep(0.01)  # the file system's clock is coarser than the processor's
    return directory


def built(sources: Path, meanwhile: Callable[[], object] = lambda: None) -> tuple[str, int]:
    """Return what a build came from, and how often it has been made."""
    runs = sources / "runs"

    def compile_all(log: IO[str]) -> Sequence[str]:
        print("compiling", file=log)
        with runs.open("a") as file:
            file.write("x")
        meanwhile()
        return [str(sources / "a.sv"), str(sources / "sub" / "x.svh")]

    digest = KeptBuild(sources.parent / "build", ["tool 1.0"], [str(sources)], compile_all).ensure()
    return digest, len(runs.read_text())


def test_build_is_kept_while_nothing_changes(sources: Path) -> None:
    first = built(sources)
    os.utime(sources / "a.sv", (0, 0))
    assert built(sources) == first
    assert first[1] == 1


@pytest.mark.parametrize("file", ["a.sv", "sub/x.svh"])
def test_change_of_what_was_read_builds_anew(file: str, sources: Path) -> None:
    digest, _ = built(sources)
    (sources / file).write_text("changed")
    time.sleep(0.01)
    again = built(sources)
    assert again[0] != digest
    assert again[1] == 2
    assert built(sources) == again


def test_new_file_that_may_hide_another_builds_anew(sources: Path) -> None:
    built(sources)
    (sources / "x.svh").write_text("found before sub/x.svh")
    assert built(sources)[1] == 2


def test_change_during_a_build_builds_anew_next_time(sources: Path) -> None:
    built(sources, lambda: (sources / "a.sv").write_text("edited while it was read"))
    assert built(sources)[1] == 2


def test_failed_build_shows_the_end_of_its_log_and_is_not_kept(sources: Path) -> None:
    def compile_all(log: IO[str]) -> Sequence[str]:
        run_logged(["bash", "-c", "seq 100; exit 3"], log, {})
        raise AssertionError

    build = KeptBuild(sources.parent / "build", [], [], compile_all)
    for _ in range(2):
        with pytest.raises(BuildFailed) as raised:
            build.ensure()
        lines = str(raised.value).splitlines()
        assert lines[:-1] == [str(number) for number in range(81, 101)]
        assert lines[-1].startswith(f"building {build.directory} failed; the whole output is in ")
