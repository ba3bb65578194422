"""The whole folder of a failure: its waves, what it shrank to, the waves of that; what must not spoil it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verif.failure.attempt import TRACEBACK
from verif.failure.investigation import explanation_lines, run_explained
from verif.qualification.mutants import MUTANTS
from verif.qualification.qualify import prepare, simulation_of
from verif.run_report import RunReport
from verif.simulation.simulation import Simulation
from verif.waves.dump import WaveDump
from verif.waves.lanes import MIRRORS
from verif.waves.leaving import DUMP, PICTURE, SAVE, TEXT

HEADLINE = "first divergence: wrong data, pc 49 (RQ "


@pytest.fixture
def fails(simulator: str, tmp_path: Path) -> Simulation:
    """Return the simulation of an RQ that does not clamp at 0, in a program that the compiler made."""
    (mutant,) = (mutant for mutant in MUTANTS if mutant.name == "relu_ignored")
    return simulation_of(mutant, simulator, prepare(), tmp_path / "simulation")


def test_the_original_and_what_it_shrank_to_have_reports_and_waves(relu_failure: RunReport) -> None:
    folder = _folder(relu_failure)
    for each, instruction in ((folder, "pc 49: RQ 32 32 32 "), (folder / "shrunk", "pc 0: RQ 0 0 1 ")):
        report, text = _report(each), (each / "report.txt").read_text()
        assert (report["kind"], report["unit"], report["waves"]["error"]) == ("data", "vector", None)
        assert report["waves"]["first"] <= report["cycle"] <= report["waves"]["last"]
        assert all((each / file).stat().st_size for file in (DUMP, SAVE, PICTURE, TEXT))
        assert (each / TEXT).read_text().startswith(f"  wrong data in cycle {report['cycle']}, {instruction}")
        assert f"  waves        cycles {report['waves']['first']}.." in text
        assert text.splitlines()[-1] == f"  reproduce    {report['command']}"
        assert f"{MIRRORS}.g_word[0].data" in WaveDump(each / DUMP).names
    assert (_report(folder)["source"], _report(folder / "shrunk")["source"]) == ("relu", None)
    text = " ".join((folder / "shrunk" / "report.txt").read_text().split())
    assert " source map none: what is left is no part of the graph any more; the original fails at " in text
    assert " RQ #49, relu, relu[0][2]: expected 0, found -60 (float 0, scale 0.0116) " in text


@pytest.mark.slow("verilator")
def test_a_mistake_in_the_shrinker_hides_no_failure(
    fails: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.failure.shrunk_folder.shrink_failure", _mistaken)
    report = run_explained(fails, tmp_path / "failures")
    folder = _folder(report)
    told = "it could not be shrunk, because the bench itself failed (KeyError: 'a mistake'); see "
    assert report.shrunk == f"{told}{folder / TRACEBACK}"
    assert report.shrunk in explanation_lines(report)
    assert "in _mistaken" in (folder / TRACEBACK).read_text()
    assert (folder / TEXT).exists()
    assert not (folder / "shrunk").exists()


@pytest.mark.slow("icarus")
def test_a_mistake_in_the_picture_hides_no_failure(
    fails: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verif.waves.picture.window_picture", _mistaken)
    report = run_explained(fails, tmp_path / "failures")
    folder = _folder(report)
    assert report.explanation.endswith(f"(KeyError: 'a mistake'); see {folder / TRACEBACK}")
    assert report.shrunk.startswith("shrunk to 1 instruction: RQ ")
    for each in (folder, folder / "shrunk"):
        assert _report(each)["waves"]["error"].startswith("the waves are missing, because the bench itself")
        assert not (each / TEXT).exists()


def _mistaken(*_: object) -> None:
    raise KeyError("a mistake")


def _folder(report: RunReport) -> Path:
    assert report.explanation.startswith(HEADLINE)
    assert report.failure is not None
    assert _report(Path(report.failure))["reproduced"]
    return Path(report.failure)


def _report(folder: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return report
