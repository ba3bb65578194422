"""What a campaign tells: contributions, growth, what resisted, the plan; as text, as JSON and as a page."""

from __future__ import annotations

import json
import re
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from refmodel.language.target import MAX_CONTEXT
from refmodel.published import figures
from regressions.closing import campaign as campaign_module
from regressions.closing.aim import Attempt
from regressions.closing.campaign import Campaign
from regressions.closing.contribution import contributions
from regressions.closing.growth import by_round, over_time
from regressions.closing.heat_map import hit_fields, shade
from regressions.closing.html_report import export_html
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner
from regressions.closing.json_report import to_json
from regressions.closing.outcome import Outcome, outcome_of
from regressions.closing.provenance import Provenance
from regressions.closing.resistance import resistances
from regressions.closing.shape_costs import ShapeCost, shape_costs
from regressions.closing.text_report import report, round_line
from regressions.coverage.summary import Summary
from regressions.testplan.plan import Feature, Plan, disagreements
from regressions.tests.conftest import CommandLine
from regressions.tests.fake_campaign import ALL, MODEL, closing
from verif.code_coverage.point import CodeKind, CodePoint
from verif.code_coverage.score import CodeScore, KindScore

SHIFTS = {shift: MODEL["rq_shift"].named(str(shift), "relu").tolist()[0] for shift in (1, 2, 3, 4)}
"""Four bins of one item."""

HERE = Provenance(
    "0123abcd", 1, MODEL.fingerprint, {"icarus": "12.0", "verilator": "5.48"}, {"verif/bfm/bfm.py": "aa"}
)

GOOD_CODE = CodeScore((KindScore(CodeKind.LINE, 100, 99, 1),), (), ())


def closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *rounds: frozenset[int], promised: frozenset[int]
) -> tuple[Campaign, Summary]:
    """Return a campaign of these rounds, after which nothing more was found."""
    names = {f"round-{number}-x-0": hits for number, hits in enumerate(rounds)}
    campaign, _ = closing(tmp_path, monkeypatch, {"base": rounds[0], **names})

    def aim_at_x(_: object, __: object, seed: int) -> Attempt:
        jobs = [Job("", "verilator", "t.T", {})] if seed <= len(rounds) else []
        return Attempt(jobs, 40, promised)

    monkeypatch.setattr(campaign_module, "aim_of", lambda _: aim_at_x)
    with campaign.runner.progress:
        *_, summary = campaign.rounds()
    return campaign, summary


def outcome(campaign: Campaign, summary: Summary, monkeypatch: pytest.MonkeyPatch, plan: Plan) -> Outcome:
    """Return what it tells; the shapes are a few made up."""
    shapes = [ShapeCost(0, 1, 100, 100), ShapeCost(0, 2, 150, 300), ShapeCost(5, 8, 400, 1000)]
    monkeypatch.setattr("regressions.closing.outcome.shape_costs", lambda _: shapes)
    return outcome_of(campaign, summary, GOOD_CODE, plan, HERE)


def feature(name: str, state: str) -> Plan:
    """Return a plan of one feature."""
    fields: dict[str, Any] = {"name": name, "area": "chip", "title": "T", "stage": "V3", "state": state}
    return Plan(sentences=[], features=[Feature(**fields, tests=["t.py"])])


def text_of(found: Outcome) -> str:
    console = Console(file=StringIO(), record=True, width=80, highlight=False)
    console.print(report(found), soft_wrap=True)
    return console.export_text()


def test_contributions_and_growth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = ALL - frozenset(SHIFTS.values())
    campaign, _ = closed(
        tmp_path,
        monkeypatch,
        rest,
        frozenset({SHIFTS[1], SHIFTS[2]}),
        frozenset({SHIFTS[2]}),
        promised=frozenset(),
    )
    found = {each.job.name: (each.bins, each.first, each.alone) for each in contributions(campaign.runner)}
    assert found == {
        "base": (len(rest), len(rest), len(rest)),
        "round-1-x-0": (2, 2, 1),
        "round-2-x-0": (1, 0, 0),
    }
    requantizer = sum(item.bins for item in MODEL if item.family == "requantizer")
    rounds = by_round(campaign)
    assert [each.simulations for each in rounds] == [1, 2, 3]
    assert [each.hit["requantizer"] for each in rounds] == [requantizer - 4, requantizer - 2, requantizer - 2]
    assert [each.hit for each in over_time(campaign.runner)] == [each.hit for each in rounds]
    assert all(one.seconds <= two.seconds for one, two in pairwise(rounds))


def test_growth_goes_by_the_ends_and_leaves_interruptions_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest, all_but_one = ALL - frozenset(SHIFTS.values()), ALL - {SHIFTS[1]}

    def again() -> list[tuple[float, int]]:
        campaign, _ = closed(tmp_path, monkeypatch, rest, all_but_one, promised=frozenset())
        return [(each.seconds, sum(each.hit.values())) for each in over_time(campaign.runner)]

    def end(job: str, seconds: float) -> None:
        record = tmp_path / f"{job}.job"
        content = json.loads(record.read_text(encoding="utf-8"))
        record.write_text(json.dumps({**content, "ended": seconds}), encoding="utf-8")

    again()
    end("base", 90.0)
    end("round-1-x-0", 30.0)
    assert again() == [(30.0, len(all_but_one)), (90.0, len(ALL) - 1)]
    (tmp_path / "round-1-x-0.job").unlink()
    (first, second) = again()
    assert first == (90.0, len(rest))
    assert second[0] >= 90.0, "it goes on from the time that the campaign had taken"


def test_costs_of_blocks_are_the_published_ones() -> None:
    costs = {(each.cached, each.rows): each for each in shape_costs("structured")}
    published = figures()
    blocks, steps = published["verifier_cycles_m4"], published["plain_cycles"]
    assert {c: costs[int(c), 4].cycles for c in blocks} == blocks != {}
    plain = [costs[cached, 1].plain_cycles for cached in range(MAX_CONTEXT)]
    assert {context: plain[int(context) - 1] for context in steps} == steps != {}
    assert sum(plain[: published["tokens"]]) == next(
        each["cycles"] for each in published["runs"] if each["mode"] == "plain"
    )
    assert all(
        each.plain_cycles == sum(plain[cached : cached + rows]) and each.speedup > 0.9
        for (cached, rows), each in costs.items()
    )


def test_a_round_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(tmp_path, monkeypatch, ALL, promised=frozenset())
    line = round_line(0, by_round(campaign)[0], summary)
    assert line.startswith(f"round 0: {len(ALL):,} of {len(ALL):,} bins (100.0 %) after 1 simulations")
    assert "host loop 100.0" in line
    assert "\n" not in line


def test_what_resisted_says_what_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rest = ALL - {SHIFTS[1], SHIFTS[3]}
    promised = frozenset({SHIFTS[1]})
    campaign, summary = closed(tmp_path, monkeypatch, rest, rest, promised=promised)
    broken, nothing = sorted(resistances(campaign, summary), key=lambda each: not each.contradicts)
    assert (broken.item, broken.bins, broken.contradicts) == ("rq_shift", 1, True)
    assert " 1" in broken.words
    assert broken.why.startswith("the model says that what round 1, 2 sent hits it, and the RTL did not")
    assert (nothing.bins, nothing.contradicts) == (1, False)
    assert nothing.why == "none of 80 x that were tried on the model in 2 rounds hits it"
    campaign, summary = closed(tmp_path / "all", monkeypatch, ALL, promised=promised)
    assert resistances(campaign, summary) == []


def test_the_plan_is_held_against_what_was_covered() -> None:
    met = dict.fromkeys((item.name for item in MODEL), True)
    assert list(disagreements(feature("reset", "covered"), MODEL, met)) == []
    (said,) = disagreements(feature("reset", "tested"), MODEL, met)
    assert said.startswith("feature reset is called tested, but all its items are at their goals")
    met["reset_state"] = False
    (said,) = disagreements(feature("reset", "covered"), MODEL, met)
    assert said == "feature reset is called covered, but reset_state missed its goal"
    assert list(disagreements(feature("reset", "tested"), MODEL, met)) == []
    assert list(disagreements(feature("none", "tested"), MODEL, met)) == []


def test_the_verdict_needs_every_goal_and_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(tmp_path, monkeypatch, ALL, promised=frozenset())
    good = outcome(campaign, summary, monkeypatch, feature("reset", "covered"))
    assert good.met
    last = text_of(good).rstrip().splitlines()[-1]
    assert last.startswith(f"every coverage goal is met: {len(ALL):,} of {len(ALL):,} bins")
    contradicted = outcome(campaign, summary, monkeypatch, feature("reset", "tested"))
    assert not contradicted.met
    assert "feature reset is called tested" in text_of(contradicted)
    assert contradicted.verdict == "every coverage goal is met, but the test plan says otherwise"


def test_text_fits_80_columns_and_tells_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(
        tmp_path, monkeypatch, ALL - {SHIFTS[1]}, ALL - {SHIFTS[1]}, promised=frozenset()
    )
    text = text_of(outcome(campaign, summary, monkeypatch, feature("reset", "covered")))
    tables = text[: text.index("What resisted")]
    assert max(map(len, tables.splitlines())) <= 80
    for words in ("base", "round-1-x-0", "none of 80 x that were tried", "commit 0123abcd", "icarus 12.0"):
        assert words in text
    bins, items = len(ALL), len(MODEL.items)
    last = text.rstrip().splitlines()[-1]
    assert last.startswith(
        f"not every goal is met: {bins - 1:,} of {bins:,} bins, {items - 1} of {items} items"
    )


def test_json_tells_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(tmp_path, monkeypatch, ALL - {SHIFTS[1]}, promised=frozenset())
    found = outcome(campaign, summary, monkeypatch, feature("reset", "covered"))
    content = json.loads(json.dumps(to_json(found)))
    assert (content["format"], content["met"], content["commit"]) == ("ga2-closure/1", False, "0123abcd")
    assert "sources" not in content, "digests of 400 files are for --resume alone"
    assert sum(item["hit"] for item in content["items"]) == len(ALL) - 1
    assert content["code"] == [
        {
            "kind": "line",
            "hit": 99,
            "points": 100,
            "excluded": 1,
            "before": 99.0,
            "after": 100.0,
            "goal": 100.0,
        }
    ]
    assert [each["name"] for each in content["simulations"]] == ["base"] == content["smallest"]
    assert content["rounds"][0]["hit"]["compiler"] == content["growth"][0]["hit"]["compiler"] > 0
    assert content["holes"][0]["item"] == "rq_shift"
    assert content["shapes"][1] == {
        "cached": 0,
        "rows": 2,
        "cycles": 150,
        "plain_cycles": 300,
        "speedup": 2.0,
    }


def test_the_page_needs_nothing_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, summary = closed(tmp_path, monkeypatch, ALL - {SHIFTS[1]}, promised=frozenset())
    found = outcome(campaign, summary, monkeypatch, feature("reset", "covered"))
    export_html(found, tmp_path / "report.html", {"every bin": "bins.html"})
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Not every goal is met." in page
    assert re.findall(r'(?:src|href)="([^#][^"]*)"', page) == ["bins.html"]
    assert page.count("<svg") == len(summary.by_family())
    assert "c = 5, m = 8: 400 cycles" in page
    assert "c = 5, m = 8: 2.50 ×" in page
    assert "none of 40 x that were tried on the model in 1 round hits it" in page
    assert "stroke: var(--hit)" in page
    assert not re.search("#0[2-4]0[2-4]0[2-4]", page), "charts take the page's own colours"
    again = tmp_path / "again.html"
    export_html(found, again, {"every bin": "bins.html"})
    assert again.read_text(encoding="utf-8") == page


def test_every_shape_lies_in_one_field_of_hits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, summary = closed(tmp_path, monkeypatch, ALL, promised=frozenset())
    for fields in hit_fields(summary).values():
        places = [(c, m) for field in fields for c in field.cached for m in field.rows]
        assert len(places) == len(set(places)) == 64 * 8
        assert all(field.hits == 1 for field in fields)
    assert [shade(value, [10, 20, 30]) for value in (10, 20, 30)] == [0, 50, 100]
    assert shade(7, [7, 7]) == 100


@pytest.mark.slow
def test_all_kinds_of_target_take_the_same_time() -> None:
    assert shape_costs("structured") == shape_costs("random") == shape_costs("sharp")


def test_the_command_leaves_every_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command_line: CommandLine
) -> None:
    closing(tmp_path, monkeypatch, {"base": ALL})
    monkeypatch.setattr("regressions.commands.close.STATE", tmp_path)
    monkeypatch.setattr("regressions.commands.close.build", lambda *_, **__: None)
    monkeypatch.setattr(
        JobRunner, "code_counts", lambda _: {CodePoint("x.sv", 1, 1, CodeKind.LINE, "block", "*"): 1}
    )
    monkeypatch.setattr("regressions.closing.publishing.export_code", lambda *_, **__: None)
    monkeypatch.setattr("regressions.closing.outcome.shape_costs", lambda _: [ShapeCost(0, 1, 100, 100)])
    outcome = command_line("close", "--seed", 7)
    assert outcome.output.startswith(
        f"round 0: {len(ALL):,} of {len(ALL):,} bins (100.0 %) after 1 simulations"
    )
    assert outcome.status == 1, "no branch was counted at all"
    assert "no branch is counted" in outcome.output
    last = outcome.output.rstrip().splitlines()[-1]
    assert last.startswith(f"not every goal is met: {len(ALL):,} of {len(ALL):,} bins")
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["seed"] == 7
    for page in ("report.html", "bins.html"):
        assert "</html>" in (tmp_path / page).read_text(encoding="utf-8")
    closing(tmp_path, monkeypatch, {"base": ALL - {SHIFTS[1]}})
    monkeypatch.setattr(campaign_module, "aim_of", lambda _: lambda *_: Attempt([], 7, frozenset()))
    monkeypatch.setattr("regressions.commands.close._write_list", lambda *_: pytest.fail("it is not closed"))
    missed = command_line("close", "--seed", 7, "--write-list")
    assert missed.status == 1
    assert "closing.toml stays as it was, since functional coverage is not closed" in missed.output
    resumed = command_line("close", "--resume", "--seed", 8)
    assert resumed.status == 2
    assert "was begun with seed 7, now it is 8" in resumed.error
