"""Closure: what is chosen for which hole, rounds until all is covered, and what was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regressions.closing import campaign as campaign_module
from regressions.closing.aim import Candidate, choose
from regressions.closing.aims import aim_of, graphs, language, loops, programs
from regressions.closing.base import base_jobs
from regressions.closing.campaign import MOST_ROUNDS, Campaign, CampaignError
from regressions.closing.job import Job
from regressions.closing.progress import ClosingProgress
from sequences.random_programs import random_program
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.database_file import save_database
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity
from verif.run_report import RunReport

MODEL = load_model()
ALL = frozenset(
    item.first + index
    for item in MODEL.items
    for index, possible in enumerate(item.possible.ravel())
    if possible
)


def bins(item: str, *names: str) -> frozenset[int]:
    return frozenset(MODEL[item].named(*names).tolist())


def test_no_more_candidates_are_drawn_than_needed() -> None:
    drawn = []

    def candidates() -> Iterator[Candidate]:
        for key, hits in (("a", {9}), ("b", {1, 2}), ("c", {2}), ("d", {3}), ("e", {1})):
            drawn.append(key)
            yield Candidate(key, frozenset(hits))

    assert choose(candidates(), frozenset({1, 2, 3})) == ["b", "d"]
    assert drawn == ["a", "b", "c", "d", "e"]


def test_just_the_missing_shapes_are_run() -> None:
    missing = bins("verifier_shape", "sharp", "1..3", "2") | bins(
        "verifier_shape", "random", "32..63", "7..64"
    )
    (job,) = language.aim_at_language(MODEL, missing, 5)
    assert [(each["target"], each["shapes"]) for each in job.parameters["families"]] == [
        ("random", [[32, 7]]),
        ("sharp", [[1, 2]]),
    ]


def test_a_random_program_is_found_for_a_bin() -> None:
    missing = bins("rq_shift", "37", "relu")
    (job,) = programs.aim_at_programs(MODEL, missing, 3)
    (number,) = job.parameters["only"]
    assert job.parameters["seed"] == 3
    program = random_program(3, number)
    assert any(getattr(each, "shift", None) == 37 for each in program.instructions)


def test_a_graph_and_a_decoding_are_found() -> None:
    (graph,) = graphs.aim_at_graphs(MODEL, bins("product_depth", "64", "plain"), 1)
    assert graph.parameters["graphs"] == 1
    (loop,) = loops.aim_at_loops(MODEL, bins("loop_end", "plain", "before the first token"), 1)
    (decoding,) = loop.parameters["decodings"]
    assert (decoding["request"]["tokens"], decoding["speculative"]) == (0, False)


def test_what_nothing_hits_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 5)
    assert programs.aim_at_programs(MODEL, bins("loop_end", "plain", "before the first token"), 1) == []


def test_every_family_has_a_way() -> None:
    assert aim_of("requantizer") is programs.aim_at_programs
    assert {item.family for item in MODEL.items} >= {"language", "host_loop", "compiler"}


class FakeChip:
    """Stands for all simulations: each job hits what it is told to, and leaves a database."""

    def __init__(self, directory: Path, hits: dict[str, frozenset[int]]) -> None:
        self.directory, self.hits = directory, hits
        self.simulated: list[str] = []

    def simulate(self, campaign: Campaign, job: Job) -> None:
        self.simulated.append(job.name)
        hits = RunHits(1, {number: BinHits(1, "p") for number in self.hits[job.name]})
        database = CoverageDatabase(MODEL.fingerprint, {RunIdentity(job.name, 1, job.simulator, "b"): hits})
        save_database(campaign.directory / f"{job.name}.json", database, MODEL)
        campaign.finished(job)


def closing(
    directory: Path, monkeypatch: pytest.MonkeyPatch, hits: dict[str, frozenset[int]]
) -> tuple[Campaign, FakeChip]:
    """Return a campaign on such a chip, whose base is a single job `base`."""
    chip = FakeChip(directory, hits)
    monkeypatch.setattr(Campaign, "_simulate", lambda campaign, job: chip.simulate(campaign, job))
    monkeypatch.setattr(campaign_module, "base_jobs", lambda _: [Job("base", "verilator", "t.T", {})])
    return Campaign(1, directory, MODEL, 1, ClosingProgress(Console(quiet=True))), chip


def run(campaign: Campaign) -> list[int]:
    with campaign.progress:
        return [summary.hit for summary in campaign.rounds()]


def test_rounds_end_when_all_is_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = frozenset(sorted(ALL)[:-3])
    names = {f"round-{number}-x-0": ALL if number == 2 else some for number in range(1, 5)}
    campaign, chip = closing(tmp_path, monkeypatch, {"base": some, **names})

    def aim_at_x(*_: Any) -> list[Job]:
        return [Job("", "verilator", "t.T", {})]

    monkeypatch.setattr(campaign_module, "aim_of", lambda _: aim_at_x)
    assert run(campaign) == [len(ALL) - 3, len(ALL) - 3, len(ALL)]
    assert chip.simulated == ["base", "round-1-x-0", "round-2-x-0"]


def test_what_resists_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = frozenset(sorted(ALL)[:-3])
    names = {f"round-{number}-x-0": some for number in range(1, MOST_ROUNDS + 1)}
    campaign, _ = closing(tmp_path, monkeypatch, {"base": some, **names})

    def aim_at_x(*_: Any) -> list[Job]:
        return [Job("", "verilator", "t.T", {})]

    monkeypatch.setattr(campaign_module, "aim_of", lambda _: aim_at_x)
    assert run(campaign) == [len(ALL) - 3] * (MOST_ROUNDS + 1)
    campaign, _ = closing(tmp_path, monkeypatch, {"base": some})
    monkeypatch.setattr(campaign_module, "aim_of", lambda _: lambda *_: [])
    assert run(campaign) == [len(ALL) - 3]


def test_a_campaign_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, chip = closing(tmp_path, monkeypatch, {"base": ALL})
    assert run(first) == [len(ALL)]
    again, chip = closing(tmp_path, monkeypatch, {"base": ALL})
    assert run(again) == [len(ALL)]
    assert chip.simulated == []
    (tmp_path / "base.job").write_text("{", encoding="utf-8")
    again, chip = closing(tmp_path, monkeypatch, {"base": ALL})
    assert run(again) == [len(ALL)]
    assert chip.simulated == ["base"]


def test_a_failing_simulation_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> RunReport:
        return RunReport("t", error="it hangs", error_kind="hang")

    monkeypatch.setattr(campaign_module, "run_explained", fail)
    monkeypatch.setattr(campaign_module, "base_jobs", lambda _: [Job("base", "verilator", "t.T", {})])
    campaign = Campaign(1, tmp_path, MODEL, 1, ClosingProgress(Console(quiet=True)))
    with pytest.raises(CampaignError, match="base failed: it hangs"):
        run(campaign)
    assert not (tmp_path / "base.job").exists()


def test_base_jobs_are_the_same_each_time_and_run_on_both_simulators() -> None:
    jobs = list(base_jobs(4))
    assert jobs == list(base_jobs(4)) != list(base_jobs(5))
    assert {job.simulator for job in jobs} == {"icarus", "verilator"}
    assert len({job.name for job in jobs}) == len(jobs)
