"""What reports say of coverage: sums, holes in words, graded runs."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regressions.coverage.grading import grade
from regressions.coverage.holes import holes_of
from regressions.coverage.summary import ItemSummary, summarize
from regressions.coverage.text_report import headline, percent
from regressions.tests.coverage_databases import HALTED, IDLE, NO_RELU, RELU, database, number_of, run
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.dimension import range_bounds
from verif.coverage.item import CoverageItem
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity

MODEL = load_model()


def item_summary(name: str, missing: list[tuple[str, ...]]) -> ItemSummary:
    """Return an item of which all bins but some were hit."""
    item = MODEL[name]
    counts = item.possible.astype(np.int64)
    for names in missing:
        counts.ravel()[number_of(name, *names) - item.first] = 0
    return ItemSummary(item, counts)


def test_sums_are_those_of_the_runs_that_count() -> None:
    summary = summarize(
        database({run("a"): [RELU, IDLE], run("b", 2, "verilator"): [RELU], run("c"): [HALTED]}, [run("c")]),
        MODEL,
    )
    relu, start = (summary.items[_position(name)] for name in ("fused_relu", "start_honoured"))
    assert (relu.hit, relu.counts.tolist(), relu.met) == (1, [0, 4], False)
    assert start.hit == 1
    assert start.percent == pytest.approx(100 / 3)
    assert (summary.hit, summary.bins) == (2, sum(item.bins for item in MODEL))
    percent, items = f"{200 / summary.bins:.1f} %", len(MODEL.items)
    assert headline(summary) == [
        f"2 of {summary.bins:,} bins ({percent}), 0 of {items} items at their goal",
        "2 programs in 2 runs that passed; 2 seeds (1..2); icarus and verilator",
        "1 failed run does not count",
    ]


def test_different_builds_are_told() -> None:
    other = RunIdentity("b", 1, "icarus", "another")
    summary = summarize(database({run("a"): [RELU], other: [RELU]}), MODEL)
    assert headline(summary)[-1] == "icarus: from 2 different builds of the RTL and the harness"


def test_an_item_is_at_its_goal_when_all_that_is_wanted_was_hit() -> None:
    summary = summarize(database({run("a"): [RELU, NO_RELU]}), MODEL)
    assert summary.items[_position("fused_relu")].met
    assert summary.met == 1


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0.0"), (0.01, "0.1"), (50, "50.0"), (99.99, "99.9"), (100, "100.0")]
)
def test_percentages_say_all_and_nothing_only_where_it_is_so(value: float, text: str) -> None:
    assert percent(value) == text


@pytest.mark.parametrize(
    ("item", "missing", "words"),
    [
        ("fused_relu", [], []),
        ("fused_relu", [("a fused relu",)], ["a product with a fused relu"]),
        ("rq_tie", [("negative", "1")], ["an exact tie of a negative accumulator at shift 1"]),
        (
            "rq_tie",
            [("negative", "1"), ("positive", "1")],
            ["an exact tie of a positive or negative accumulator at shift 1"],
        ),
        (
            "rq_tie",
            [("negative", "1"), ("negative", "2..22"), ("negative", "32..55")],
            ["an exact tie of a negative accumulator at shift 1..22 or 32..55"],
        ),
        (
            "opcode_size",
            [("LD", "1"), ("LD", "2"), ("ST", "1"), ("ST", "2"), ("RQ", "4095")],
            ["LD or ST of 1..2 words", "RQ of 4095 words"],
        ),
        (
            "amax_position",
            [("the first", "tied"), ("inside", "tied")],
            ["AMAX whose maximum is anywhere and tied"],
        ),
    ],
)
def test_holes_are_told_in_words(item: str, missing: list[tuple[str, ...]], words: list[str]) -> None:
    holes = holes_of(item_summary(item, missing))
    assert [hole.words for hole in holes] == words
    assert sum(hole.bins for hole in holes) == len(missing)


def test_of_many_names_the_others_are_told() -> None:
    hit = ("HALT", "AMAX")
    opcodes = [name for name in MODEL["reserved_bits"].dimensions[0].bins if name not in hit]
    holes = holes_of(item_summary("reserved_bits", [(opcode,) for opcode in opcodes]))
    assert [hole.words for hole in holes] == ["any opcode but HALT and AMAX with reserved bits set"]


def _bins_told(words: str) -> set[tuple[str, str]]:
    """Return the bins that a sentence about `opcode_size` means, such as `LD or ST of 1..7 words`."""
    item = MODEL["opcode_size"]
    opcodes, lengths = words.removesuffix(" words").split(" of ")
    but = opcodes.partition(" but ")[2]
    names = set(re.findall(r"[A-Z]+", but or opcodes))
    if but or opcodes == "any opcode":
        names = set(item.dimensions[0].bins) - names
    spans = [range_bounds(text) for text in re.findall(r"[\d.]+", lengths)] or [(1, 4095)]
    return {
        (name, length)
        for name in names
        for length, (low, high) in zip(item.dimensions[1].bins, item.dimensions[1].bounds, strict=True)
        if any(first <= low and high <= last for first, last in spans)
    }


@given(st.sets(st.sampled_from(list(MODEL["opcode_size"].bin_numbers()))))
def test_holes_tell_every_missing_bin_once(missing: set[int]) -> None:
    item = MODEL["opcode_size"]
    counts = np.ones(item.shape, np.int64)
    counts.ravel()[list(missing)] = 0
    holes = holes_of(ItemSummary(item, counts))
    told = [_bins_told(hole.words) for hole in holes]
    assert [hole.bins for hole in holes] == [len(bins) for bins in told]
    assert [hole.bins for hole in holes] == sorted((hole.bins for hole in holes), reverse=True)
    assert set().union(*told) == {item.bin_names(number) for number in missing}
    assert sum(hole.bins for hole in holes) == len(missing)


@given(st.sampled_from(list(MODEL)), st.integers(0, 99), st.sampled_from([0.1, 0.5, 0.9]))
def test_holes_of_any_item_hold_each_missing_bin_once(item: CoverageItem, seed: int, share: float) -> None:
    """Hit are the bins of some names of every dimension, as by programs of one kind."""
    random = np.random.default_rng(seed)
    hit = np.ones(item.shape, bool)
    for axis, size in enumerate(item.shape):
        hit &= np.expand_dims(random.random(size) < share, tuple(set(range(hit.ndim)) - {axis}))
    summary = ItemSummary(item, (item.possible & hit).astype(np.int64))
    holes = holes_of(summary)
    assert sum(hole.bins for hole in holes) == np.count_nonzero(summary.missing)
    assert all(hole.bins for hole in holes)


bins = st.sets(st.integers(0, 8), max_size=5)


@given(st.lists(bins, min_size=1, max_size=6))
def test_grading_finds_a_smallest_set_with_the_same_coverage(hits: list[set[int]]) -> None:
    runs = [run(f"test {number}") for number in range(len(hits))]
    passed = {
        one: RunHits(1, {number: BinHits(1, "p") for number in numbers})
        for one, numbers in zip(runs, hits, strict=True)
    }
    graded = grade(CoverageDatabase(MODEL.fingerprint, passed))
    everything = set().union(*hits)
    assert set().union(*(passed[each.run].bins for each in graded)) == everything
    assert sum(each.adds for each in graded) == len(everything)
    assert all(each.adds > 0 for each in graded)
    covered: set[int] = set()
    for position, each in enumerate(graded):
        gains = [len(passed[other.run].bins.keys() - covered) for other in graded[position:]]
        assert each.adds == max(gains)
        covered |= passed[each.run].bins.keys()
    for size in range(len(graded)):
        assert not any(set().union(*some) == everything for some in combinations(hits, size))
    reordered = CoverageDatabase(MODEL.fingerprint, dict(reversed(list(passed.items()))))
    assert grade(reordered) == graded


def test_failed_runs_are_not_graded() -> None:
    graded = grade(database({run("a"): [RELU], run("b"): [RELU, IDLE]}, failed=[run("b")]))
    assert [each.run for each in graded] == [run("a")]


def _position(name: str) -> int:
    return [item.name for item in MODEL].index(name)
