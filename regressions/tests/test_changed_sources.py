"""Campaigns whose sources are edited meanwhile conclude nothing; regressions/nightly/tests has runs of lists.

The source is RTL of the user's own, edited by what stands for the simulation.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regressions.closing import job_runner
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner
from regressions.closing.progress import ClosingProgress
from regressions.commands import run as run_command
from regressions.published import run as published
from regressions.qualification import by_hand_run
from regressions.qualification.by_hand_run import run_qualification
from regressions.qualification.mutation_run import MutationRun
from regressions.rtl import RtlFailure
from regressions.software_qualification import mutated_sources
from regressions.software_qualification.qualify import qualify_tests
from regressions.tests.conftest import CommandLine
from regressions.tests.test_software_qualification import SUM, TOY, TRIPLES
from verif.coverage.model import load_model
from verif.qualification.generated import batch
from verif.qualification.mutants import MUTANTS
from verif.run_report import RunReport
from verif.sources import SourcesError, source_digests

CHANGED = r"sources changed during the run: rtl \(.*chip\.sv\)"


@pytest.fixture
def rtl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own" / "chip.sv"
    path.parent.mkdir()
    path.write_text("right")
    monkeypatch.setenv("RTL", str(path))
    return path


def test_published_table_with_changed_sources_is_not_judged(
    rtl: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A failure of a simulation with changed sources is not a failed row."""

    def fails(*_: object) -> RunReport:
        rtl.write_text("wrong")
        raise RtlFailure("a syntax error that was saved meanwhile")

    monkeypatch.setattr(published, "run_test", fails)
    monkeypatch.setattr(run_command, "OUT", tmp_path)
    monkeypatch.setattr(run_command, "build", lambda _: None)
    outcome = command_line("run", "--sim", "verilator")
    assert outcome.status == 3
    assert (
        f"error: sources changed during the run: rtl ({rtl}); restore them or run it again\n" in outcome.error
    )
    assert not (tmp_path / "run" / "summary.json").exists()


def test_job_of_a_closure_with_changed_sources_is_not_done(
    rtl: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def passes(_: object) -> RunReport:
        rtl.write_text("wrong")
        return RunReport("DirectedTest", 1, 1)

    monkeypatch.setattr(job_runner, "run_simulation", passes)
    with pytest.raises(SourcesError, match=CHANGED), runner_in(tmp_path / "closure") as runner:
        runner.run([Job("a", "icarus", "directed.DirectedTest", {})])
    assert not (tmp_path / "closure").exists()


def test_round_of_a_closure_with_other_sources_than_the_first_does_not_begin(
    rtl: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(job_runner, "run_simulation", lambda _: pytest.fail("it must not run"))
    with runner_in(tmp_path / "closure") as runner:
        rtl.write_text("wrong")  # after the campaign began, between its rounds
        with pytest.raises(SourcesError, match=CHANGED):
            runner.run([Job("b", "icarus", "directed.DirectedTest", {})])


@contextmanager
def runner_in(directory: Path) -> Iterator[JobRunner]:
    with ClosingProgress(Console(quiet=True)) as progress:
        yield JobRunner(1, directory, load_model(), 1, progress)


def test_mutant_with_changed_sources_is_not_judged(
    rtl: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def edit(*_: Any) -> Any:
        rtl.write_text("wrong")
        return RunReport("T", 1, 1)

    monkeypatch.setattr(by_hand_run, "run_unmutated", edit)
    with pytest.raises(SourcesError, match=CHANGED):
        run_qualification(
            MUTANTS[:1], ["icarus"], {"icarus": "list.f"}, tmp_path, 1, source_digests(), lambda: None
        )
    rtl.write_text("right")
    monkeypatch.setattr(batch, "try_together", edit)
    with pytest.raises(SourcesError, match=CHANGED):
        MutationRun({"verilator": "list.f"}, {}, tmp_path, (), 1, source_digests()).trials(
            MUTANTS[:1], lambda: None
        )


def test_software_mutants_are_made_from_one_copy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The model is broken after the tests have passed; the mutants know nothing of it."""
    for name, text in TOY.items():
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(mutated_sources, "REPOSITORY", tmp_path / "toy")
    source = tmp_path / "toy" / TRIPLES.file

    (outcome,) = qualify_tests([TRIPLES], tmp_path / "copies", 1, lambda: _break(source))
    assert outcome.killer == f"{SUM}[4]"
    assert outcome.detail == "assert 12 == (4 + 4)"


def _break(source: Path) -> None:
    source.write_text("def double(x):\n    return 2 * x + 100\n")
