"""Databases: merging in any order, failed runs, changed definitions, files."""

from __future__ import annotations

import json
from functools import cache, reduce
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verif.coverage.database import BinHits, CoverageDatabase, RunHits, merge
from verif.coverage.database_file import load_database, save_database
from verif.coverage.errors import CoverageError
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity

MODEL = load_model()
POSSIBLE = [item.first + number for item in MODEL for number in item.bin_numbers()]

runs = st.builds(
    RunIdentity,
    st.sampled_from(["test_a", "test_b[x]"]),
    st.integers(1, 3),
    st.sampled_from(["icarus", "verilator"]),
    st.just("build"),
)


@cache
def hits_of(run: RunIdentity) -> RunHits:
    """Return what a run hits: a run is deterministic, so it always hits the same."""
    generator = np.random.default_rng([len(run.test), run.seed, len(run.simulator)])
    bins = generator.choice(POSSIBLE, 20, replace=False).tolist()
    return RunHits(3, {int(number): BinHits(int(number) % 7 + 1, f"program-{number % 3}") for number in bins})


@st.composite
def databases(draw: st.DrawFn) -> CoverageDatabase:
    passed = draw(st.sets(runs, max_size=4))
    failed = draw(st.dictionaries(runs, st.sampled_from(["its test failed", "it crashed"]), max_size=2))
    return CoverageDatabase(MODEL.fingerprint, {run: hits_of(run) for run in passed}, failed)


@settings(max_examples=40)
@given(st.lists(databases(), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_merging_in_any_order_gives_the_same(parts: list[CoverageDatabase], random: Random) -> None:
    whole = merge(parts)
    shuffled = [*parts, parts[0]]
    random.shuffle(shuffled)
    assert merge(shuffled) == whole
    assert reduce(lambda right, left: left.merged(right), parts) == whole
    assert merge([whole, whole]) == whole
    assert merge(shuffled).first_hits() == whole.first_hits()
    assert (merge(shuffled).counts(MODEL) == whole.counts(MODEL)).all()


@settings(max_examples=40)
@given(databases(), databases())
def test_a_run_that_failed_anywhere_counts_nowhere(one: CoverageDatabase, other: CoverageDatabase) -> None:
    merged = one.merged(other)
    assert not set(merged.counting) & (one.failed.keys() | other.failed.keys())
    expected = np.zeros(MODEL.bins, np.int64)
    for run in merged.counting:
        for number, hits in hits_of(run).bins.items():
            expected[number] += hits.count
    assert (merged.counts(MODEL) == expected).all()


def test_the_first_hit_is_that_of_the_first_run_in_order() -> None:
    bins = {POSSIBLE[0]: BinHits(1, "p")}
    order = [
        RunIdentity("a", 1, "icarus", "b"), RunIdentity("a", 1, "verilator", "b"),
        RunIdentity("a", 2, "icarus", "b"), RunIdentity("b", 1, "icarus", "b"),
    ]  # fmt: skip
    for number in range(len(order)):
        later = {run: RunHits(1, bins) for run in reversed(order[number:])}
        database = CoverageDatabase(MODEL.fingerprint, later)
        assert database.first_hits() == {POSSIBLE[0]: (order[number], "p")}


def test_other_definitions_do_not_merge() -> None:
    one, other = CoverageDatabase("0123"), CoverageDatabase("4567")
    for left, right in ((one, other), (other, one)):
        with pytest.raises(CoverageError, match=r"the definitions differ .* collect one of them again"):
            left.merged(right)


def test_one_run_told_in_two_ways_is_refused() -> None:
    run = RunIdentity("a", 1, "icarus", "b")
    one = CoverageDatabase("0123", {run: RunHits(1, {3: BinHits(1, "p")})})
    other = CoverageDatabase("0123", {run: RunHits(1, {3: BinHits(2, "p")})})
    for left, right in ((one, other), (other, one)):
        with pytest.raises(CoverageError, match="a, seed 1, icarus is there twice with different hits"):
            left.merged(right)


@settings(max_examples=20)
@given(databases())
def test_a_file_gives_back_what_was_saved(tmp_path: Path, database: CoverageDatabase) -> None:
    save_database(tmp_path / "database.json", database, MODEL)
    assert load_database(tmp_path / "database.json", MODEL) == database


def test_equal_databases_give_equal_files(tmp_path: Path) -> None:
    all_runs = [RunIdentity(test, seed, "icarus", "b") for test in "ab" for seed in (1, 2)]
    one = CoverageDatabase(MODEL.fingerprint, {run: hits_of(run) for run in all_runs})
    other = CoverageDatabase(MODEL.fingerprint, {run: hits_of(run) for run in reversed(all_runs)})
    save_database(tmp_path / "one", one, MODEL)
    save_database(tmp_path / "other", other, MODEL)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"definitions": "0123"}, "was collected under other definitions .* collect it again"),
        ({"format": "ga2-coverage/9"}, "is not a coverage database: format"),
        ({"runs": 3}, "is not a coverage database: runs"),
        ({"runs": [{"test": "a"}]}, "is not a coverage database: runs.0.seed: Field required"),
        ({"extra": 1}, "is not a coverage database: extra"),
    ],
)
def test_a_bad_file_is_told(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "database.json"
    save_database(path, CoverageDatabase(MODEL.fingerprint), MODEL)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(CoverageError, match=message):
        load_database(path, MODEL)


@pytest.mark.parametrize(
    ("hits", "message"),
    [
        ({"no_such_item": []}, "there is no item no_such_item"),
        ({"fused_relu": [[2, 1, 0]]}, "fused_relu: there is no bin 2"),
        ({"fused_relu": [[1, 1, 1]]}, "or no program 1"),
        ({"fused_relu": [[1, 1, 0], [1, 2, 0]]}, "fused_relu: bin 1 is there twice"),
        ({"fused_relu": [[1, 1 << 60, 0]]}, "fused_relu.0.1: Input should be less than or equal to"),
        ({"accepted_guesses": [[1, 1, 0]]}, "accepted_guesses: there is no bin 1"),
    ],
)
def test_bins_that_the_model_does_not_have_are_told(
    tmp_path: Path, hits: dict[str, object], message: str
) -> None:
    path = tmp_path / "database.json"
    run = {"test": "a", "seed": 1, "simulator": "icarus", "build": "b"}
    content = {"counted": 1, "programs": ["p"], "hits": hits}
    document = {"format": "ga2-coverage/1", "definitions": MODEL.fingerprint, "failed": []}
    path.write_text(json.dumps({**document, "runs": [{**run, "result": content}]}))
    with pytest.raises(CoverageError, match=rf"database\.json: .*{message}"):
        load_database(path, MODEL)


def test_a_run_that_is_there_twice_is_told(tmp_path: Path) -> None:
    path = tmp_path / "database.json"
    run = RunIdentity("a", 1, "icarus", "b")
    save_database(path, CoverageDatabase(MODEL.fingerprint, {run: hits_of(run)}), MODEL)
    document = json.loads(path.read_text())
    document["runs"].append({**document["runs"][0], "result": {"counted": 0, "programs": [], "hits": {}}})
    path.write_text(json.dumps(document))
    with pytest.raises(CoverageError, match=r"database\.json: a, seed 1, icarus is there twice"):
        load_database(path, MODEL)


@pytest.mark.parametrize("name", ["", "a\x00b", "a\x1b[31mb"])
def test_a_run_without_a_printable_name_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / "database.json"
    run = RunIdentity(name, 1, "icarus", "b")
    save_database(path, CoverageDatabase(MODEL.fingerprint, {run: RunHits(0, {})}), MODEL)
    with pytest.raises(CoverageError, match=r"runs\.0\.test: String should|holds an escaped NUL"):
        load_database(path, MODEL)


@pytest.mark.parametrize("content", [b"", b"[]", b"{" * 5000])
def test_what_is_no_database_at_all_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "database.json"
    path.write_bytes(content)
    with pytest.raises(CoverageError, match=r"is not a coverage database: (Invalid JSON|Input should be an)"):
        load_database(path, MODEL)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(CoverageError, match="cannot be read: No such file or directory"):
        load_database(tmp_path / "none.json", MODEL)
