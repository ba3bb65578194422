"""What failed once is run again every night."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.failed_seeds import TAG, failed_before, remember_failed
from regressions.nightly.tests.fakes import job


def test_a_failed_job_is_kept_with_all_that_decides_what_it_sends(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    assert failed_before(path) == []
    failed = job("a-003-icarus", seed=5, tags=("t",), count=3)
    assert remember_failed(path, [failed, job("b-0"), failed]) == 2
    first, _ = failed_before(path)
    assert (first.seed, first.parameters, first.test) == (5, {"do": "pass", "count": 3}, failed.test)
    assert (first.simulator, first.initial_seed, first.timeout) == ("icarus", 5, 60.0)
    assert first.name.startswith("again-a-5-")
    assert first.tags == ("t", TAG)


def test_each_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    assert remember_failed(path, [job("a-003-icarus", seed=5)]) == 1
    assert remember_failed(path, [job("a-007-icarus", seed=5)]) == 0, "the same by another name"
    assert remember_failed(path, failed_before(path)) == 0, "it failed again"
    others = [job("a-0", seed=5, simulator="verilator"), job("a-0", seed=6), job("a-0", seed=5, count=4)]
    assert remember_failed(path, others) == 3
    assert remember_failed(path, [replace(job("a-0", seed=5), timeout=99.0)]) == 0, "the list gives it longer"
    kept = failed_before(path)
    assert len({each.name for each in kept}) == len(kept) == 4
    assert remember_failed(tmp_path / "other.json", []) == 0
    assert not (tmp_path / "other.json").exists()


def remember(path: Path, first: int) -> None:
    for seed in range(first, first + 25):
        remember_failed(path, [job("a-0", seed=seed)])


def test_nights_side_by_side_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    nights = [get_context("spawn").Process(target=remember, args=(path, first)) for first in (1, 101, 201)]
    for night in nights:
        night.start()
    for night in nights:
        night.join()
    assert len(failed_before(path)) == 75


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", r"failed\.json: : Invalid JSON"),
        ('[{"name": 3}]', r"failed\.json: 0\.name: Input should be a valid string; correct it, or remove"),
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "failed.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Ga2Error, match=message):
        failed_before(path)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("directed.DirectedTest", "directed.OldTest"),
        ('"icarus"', '"ikarus"'),
        ('"optimized"', '"fast"'),
    ],
)
def test_what_is_no_more_is_told(was: str, now: str, tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    remember_failed(path, [job("a-0")])
    path.write_text(path.read_text(encoding="utf-8").replace(was, now), encoding="utf-8")
    bare = now.strip('"')
    with pytest.raises(Ga2Error, match=rf"again-a-1-.*: there is no \w+ {bare} any more; remove the entry"):
        failed_before(path)
