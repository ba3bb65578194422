"""Databases that are read fast hold what they hold otherwise; whatever is odd is told in the same words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regressions.coverage.databases import load_all
from regressions.coverage.packed_hits import PackedBins, load_packed, packed
from regressions.coverage.summary import summarize
from regressions.tests.coverage_databases import HALTED, IDLE, NO_RELU, RELU, database, number_of, run
from verif.coverage.database import BinHits, CoverageDatabase, RunHits, merge
from verif.coverage.database_file import load_database, save_database
from verif.coverage.errors import CoverageError
from verif.coverage.model import load_model

MODEL = load_model()

HITS = {
    run("b"): [RELU, IDLE, ("sm_length", "1")],
    run("a", 2): [NO_RELU, IDLE],
    run("a", 1, "verilator"): [HALTED, RELU],
}


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    paths = []
    for number, (identity, bins) in enumerate(HITS.items()):
        save_database(tmp_path / f"{number}.json", database({identity: bins}), MODEL)
        paths.append(tmp_path / f"{number}.json")
    return paths


def test_it_is_the_same_database(files: list[Path]) -> None:
    for path in files:
        fast, slow = load_packed(path, MODEL), load_database(path, MODEL)
        assert all(isinstance(hits.bins, PackedBins) for hits in fast.passed.values())
        assert fast == slow
        assert slow == fast
    assert load_all(files, MODEL) == merge(load_database(path, MODEL) for path in files)


def test_a_run_that_hits_nothing_is_read(tmp_path: Path) -> None:
    empty = CoverageDatabase(MODEL.fingerprint, {run("a", 1): RunHits(3, {})})
    save_database(tmp_path / "empty.json", empty, MODEL)
    assert load_packed(tmp_path / "empty.json", MODEL) == empty


def test_other_hits_are_not_equal() -> None:
    bins = {number_of(*RELU): BinHits(2, "p"), number_of(*IDLE): BinHits(3, "q")}
    for other in (
        {**bins, number_of(*RELU): BinHits(1, "p")},
        {**bins, number_of(*RELU): BinHits(2, "q")},
        {number_of(*RELU): BinHits(2, "p")},
    ):
        assert packed(bins) == packed(dict(bins)) == bins
        assert RunHits(1, packed(bins)) != RunHits(1, other)
        assert RunHits(1, packed(bins)) != RunHits(1, packed(other))


def test_a_summary_counts_and_finds_first_hits_in_the_order_of_runs(files: list[Path]) -> None:
    merged = merge(load_database(path, MODEL) for path in files)
    failed = CoverageDatabase(MODEL.fingerprint, {}, {run("a", 1, "verilator"): "its test failed"})
    for one in (merged, load_all(files, MODEL), merged.merged(failed)):
        summary = summarize(one, MODEL)
        counted = [each.counts.ravel() for each in summary.items]
        assert [int(count) for counts in counted for count in counts] == one.counts(MODEL).tolist()
        assert summary.first_hits == one.first_hits()
    assert summary.first_hits[number_of(*IDLE)][0] == run("a", 2)
    assert number_of(*HALTED) not in summary.first_hits, "that run failed somewhere"


@pytest.mark.parametrize(
    "hits",
    [
        {"no_such_item": []},
        {"fused_relu": [[2, 1, 0]]},
        {"fused_relu": [[1, 1, 1]]},
        {"fused_relu": [[1, 1, 0], [1, 2, 0]]},
        {"fused_relu": [[1, 1 << 60, 0]]},
        {"fused_relu": [[1, 1.5, 0]]},
        {"fused_relu": [[1, 1]]},
        {"accepted_guesses": [[1, 1, 0]]},
    ],
)
def test_damage_is_told_as_ever(tmp_path: Path, hits: dict[str, Any]) -> None:
    path = tmp_path / "database.json"
    content = {"counted": 1, "programs": ["p"], "hits": hits}
    one = {"test": "a", "seed": 1, "simulator": "icarus", "build": "b", "result": content}
    document = {"format": "ga2-coverage/1", "definitions": MODEL.fingerprint, "failed": []}
    for changed in ({"runs": [one]}, {"runs": [one, one]}, {"runs": [], "definitions": "x"}, {"runs": 3}):
        path.write_text(json.dumps({**document, **changed}), encoding="utf-8")
        with pytest.raises(CoverageError) as slow:
            load_database(path, MODEL)
        with pytest.raises(CoverageError) as fast:
            load_packed(path, MODEL)
        assert str(fast.value) == str(slow.value)
