"""Going on with a campaign: whose directory it is, and what is said of one that is damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from regressions.closing.job import Job
from regressions.closing.job_list import CLOSING_LIST
from regressions.closing.job_runner import JobRunner
from regressions.closing.provenance import Provenance
from regressions.closing.state import OWNER, StateError, begin, held, resume
from regressions.commands import close as close_module
from regressions.tests.conftest import CommandLine
from regressions.tests.fake_campaign import ALL, MODEL, closing, run
from verif.coverage.errors import CoverageError

HERE = Provenance(
    "0123abcd", 1, "f0f0", {"icarus": "12.0"}, {"verif/analysis.py": "aa", "hdl/rtl/ga2.sv": "bb"}
)


def test_a_new_campaign_empties_the_directory(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}", encoding="utf-8")
    begin(tmp_path, HERE)
    assert [path.name for path in tmp_path.iterdir()] == [OWNER]
    resume(tmp_path, HERE)


def test_two_campaigns_do_not_share_a_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: CommandLine
) -> None:
    state = tmp_path / "closure"
    begin(state, HERE)
    monkeypatch.setattr(close_module, "STATE", state)
    monkeypatch.setattr(close_module, "build", None)
    with held(state):
        for arguments in ((), ("--resume",), ("--list", CLOSING_LIST)):
            outcome = command_line("close", *arguments)
            assert (outcome.status, outcome.output) == (2, "")
            assert f"{state}: another closure is at work there; wait until it has ended" in outcome.error
    assert [path.name for path in state.iterdir()] == [OWNER]
    with held(state):
        pass  # it is free again


def test_where_nothing_has_begun_resuming_begins(tmp_path: Path) -> None:
    resume(tmp_path / "closure", HERE)
    assert (tmp_path / "closure" / OWNER).exists()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            replace(HERE, seed=2),
            "was begun with seed 2, now it is 1; without --resume the campaign begins anew",
        ),
        (replace(HERE, commit="4567"), "was begun with commit 4567, now it is 0123abcd"),
        (replace(HERE, definitions="0e0e"), "was begun with coverage definitions 0e0e, now it is f0f0"),
        (replace(HERE, tools={"icarus": "11.0"}), "was begun with tools .*11.0.*, now it is .*12.0"),
        (
            replace(HERE, sources={"verif/analysis.py": "aa", "hdl/rtl/ga2.sv": "cc"}),
            r"other sources; changed since: rtl \(hdl/rtl/ga2.sv\); restore them; without --resume",
        ),
    ],
)
def test_a_campaign_goes_on_only_where_nothing_has_changed(
    tmp_path: Path, other: Provenance, message: str
) -> None:
    begin(tmp_path, other)
    with pytest.raises(StateError, match=message):
        resume(tmp_path, HERE)


def test_campaign_goes_on_beside_changes_that_are_no_sources(tmp_path: Path) -> None:
    """Digests decide; the mark of a changed working tree, which an edited document sets, does not."""
    begin(tmp_path, replace(HERE, commit="0123abcd-dirty"))
    resume(tmp_path, HERE)


@pytest.mark.parametrize("content", [None, "{", "[]", '{"seed": 1}'])
def test_a_directory_without_an_owner_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: CommandLine, content: str | None
) -> None:
    begin(tmp_path, HERE)
    if content is None:
        (tmp_path / OWNER).unlink()
    else:
        (tmp_path / OWNER).write_text(content, encoding="utf-8")
    monkeypatch.setattr(close_module, "STATE", tmp_path)
    outcome = command_line("close", "--resume")
    assert (outcome.status, outcome.output) == (2, "")
    assert f"{tmp_path / OWNER}: is missing or damaged; without --resume" in outcome.error


def test_a_damaged_or_foreign_database_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, _ = closing(tmp_path, monkeypatch, {"base": ALL})
    run(campaign)
    database = tmp_path / "base.json"
    content = json.loads(database.read_text(encoding="utf-8"))
    database.write_text(json.dumps({**content, "definitions": "0e0e"}), encoding="utf-8")
    again, _ = closing(tmp_path, monkeypatch, {"base": ALL})
    with pytest.raises(
        CoverageError, match=f"base.json: was collected under other definitions .*{MODEL.fingerprint}"
    ):
        run(again)
    database.write_text("{", encoding="utf-8")
    again, _ = closing(tmp_path, monkeypatch, {"base": ALL})
    with pytest.raises(
        CoverageError, match=r"base.json: is not a coverage database: .*; remove it or collect it again"
    ):
        run(again)
    database.unlink()
    again, chip = closing(tmp_path, monkeypatch, {"base": ALL})
    assert run(again) == [len(ALL)], "what is not there at all is simulated again"
    assert chip.simulated == ["base"]
    (tmp_path / "base.dat").unlink()
    again, chip = closing(tmp_path, monkeypatch, {"base": ALL})
    run(again)
    assert chip.simulated == ["base"], "so is what left no code coverage"


def test_interrupted_simulations_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(runner: JobRunner, job: Job) -> None:
        (runner.directory / "simulations" / f"{job.name}-unasserted").mkdir(parents=True)
        raise KeyboardInterrupt

    campaign, _ = closing(tmp_path, monkeypatch, {"base": ALL})
    monkeypatch.setattr(JobRunner, "_simulate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(campaign)
    assert list(tmp_path.iterdir()) == []


def test_simulations_of_another_build_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, more = (Job(name, "verilator", "t.T", {}) for name in ("base", "more"))
    campaign, chip = closing(tmp_path, monkeypatch, {"base": ALL, "more": ALL})
    with campaign.runner.progress:
        campaign.runner.run([base])
        chip.build = "another"
        with pytest.raises(StateError, match="holds simulations of 2 different builds for verilator"):
            campaign.runner.run([more])
