"""Closure: what is chosen for which hole, rounds until all is covered, and what was interrupted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from regressions.closing import campaign as campaign_module
from regressions.closing.aim import Attempt, Candidate, choose
from regressions.closing.aims import aim_of, graphs, language, loops, programs
from regressions.closing.base import base_jobs
from regressions.closing.campaign import MOST_ROUNDS
from regressions.closing.job import Job
from regressions.tests.conftest import CommandLine
from regressions.tests.fake_campaign import ALL, MODEL, aim_at_x, closing, run
from sequences.random_programs import random_program
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch


def bins(item: str, *names: str) -> frozenset[int]:
    return frozenset(MODEL[item].named(*names).tolist())


def test_no_more_candidates_are_drawn_than_needed() -> None:
    drawn = []

    def candidates() -> Iterator[Candidate]:
        for key, hits in (("a", {9}), ("b", {1, 2}), ("c", {2}), ("d", {3}), ("e", {1})):
            drawn.append(key)
            yield Candidate(key, frozenset(hits))

    choice = choose(candidates(), frozenset({1, 2, 3}), most=10)
    assert (choice.keys, choice.tried, choice.promised) == (["b", "d"], 4, frozenset({1, 2, 3}))
    assert drawn == ["a", "b", "c", "d"]
    choice = choose(candidates(), frozenset({1, 2, 3, 4}), most=2)
    assert (choice.keys, choice.tried, choice.promised) == (["b"], 2, frozenset({1, 2}))
    assert choose(candidates(), frozenset({4}), most=10).tried == 5


def test_just_the_missing_shapes_are_run() -> None:
    missing = bins("verifier_shape", "sharp", "1..3", "2") | bins(
        "verifier_shape", "random", "32..63", "7..64"
    )
    attempt = language.aim_at_language(MODEL, missing, 5)
    (job,) = attempt.jobs
    assert attempt.promised == missing
    assert [(each["target"], each["shapes"]) for each in job.parameters["families"]] == [
        ("random", [[32, 7]]),
        ("sharp", [[1, 2]]),
    ]


def test_a_random_program_is_found_for_a_bin() -> None:
    missing = bins("rq_shift", "37", "relu")
    attempt = programs.aim_at_programs(MODEL, missing, 3)
    (job,) = attempt.jobs
    assert attempt.promised == missing
    (number,) = job.parameters["only"]
    assert job.parameters["seed"] == 3
    program = random_program(3, number)
    assert any(getattr(each, "shift", None) == 37 for each in program.instructions)


def test_a_graph_and_a_decoding_are_found() -> None:
    (graph,) = graphs.aim_at_graphs(MODEL, bins("product_depth", "64", "plain"), 1).jobs
    assert len(graph.parameters["seeds"]) == 1
    (loop,) = loops.aim_at_loops(MODEL, bins("loop_end", "plain", "before the first token"), 1).jobs
    (decoding,) = loop.parameters["decodings"]
    assert (decoding["request"]["tokens"], decoding["speculative"]) == (0, False)


def test_what_nothing_hits_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_PROGRAMS", 5)
    attempt = programs.aim_at_programs(MODEL, bins("loop_end", "plain", "before the first token"), 1)
    assert (attempt.jobs, attempt.tried, attempt.promised) == ([], 5, frozenset())


def test_every_family_has_a_way() -> None:
    assert aim_of("requantizer") is programs.aim_at_programs
    assert {item.family for item in MODEL.items} >= {"language", "host_loop", "compiler"}


def test_rounds_end_when_all_is_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = frozenset(sorted(ALL)[:-3])
    names = {f"round-{number}-x-0": ALL if number == 2 else some for number in range(1, 5)}
    campaign, chip = closing(tmp_path, monkeypatch, {"base": some, **names})

    monkeypatch.setattr(campaign_module, "aim_of", lambda _: aim_at_x)
    assert run(campaign) == [len(ALL) - 3, len(ALL) - 3, len(ALL)]
    assert chip.simulated == ["base", "round-1-x-0", "round-2-x-0"]


def test_what_resists_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = frozenset(sorted(ALL)[:-3])
    names = {f"round-{number}-x-0": some for number in range(1, MOST_ROUNDS + 1)}
    campaign, _ = closing(tmp_path, monkeypatch, {"base": some, **names})

    monkeypatch.setattr(campaign_module, "aim_of", lambda _: aim_at_x)
    assert run(campaign) == [len(ALL) - 3] * (MOST_ROUNDS + 1)
    campaign, _ = closing(tmp_path, monkeypatch, {"base": some})
    monkeypatch.setattr(campaign_module, "aim_of", lambda _: lambda *_: Attempt([], 7, frozenset()))
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


@pytest.mark.parametrize(
    ("report", "message"),
    [
        (RunReport("t", error="it hangs", error_kind="hang"), "icarus: it hangs"),
        (
            RunReport("t", comparisons=1, mismatches=[Mismatch("p", Aspect.STATUS, "halted", "1", "0")]),
            "error: base failed: p: ",
        ),
    ],
)
def test_a_failing_simulation_ends_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command_line: CommandLine,
    report: RunReport,
    message: str,
) -> None:
    monkeypatch.setattr("regressions.rtl.run_explained", lambda *_, **__: report)
    monkeypatch.setattr(campaign_module, "base_jobs", lambda _: [Job("base", "icarus", "t.T", {})])
    monkeypatch.setattr("regressions.commands.close.STATE", tmp_path)
    monkeypatch.setattr("regressions.commands.close.build", lambda *_, **__: None)
    outcome = command_line("close")
    assert (outcome.status, outcome.output) == (1, "")
    assert message in outcome.error
    assert not (tmp_path / "base.job").exists()


def test_base_jobs_are_the_same_each_time_and_run_on_both_simulators() -> None:
    jobs = list(base_jobs(4))
    assert jobs == list(base_jobs(4)) != list(base_jobs(5))
    assert {job.simulator for job in jobs} == {"icarus", "verilator"}
    assert len({job.name for job in jobs}) == len(jobs)
