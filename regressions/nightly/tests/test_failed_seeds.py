"""What failed once is run again every night."""

from __future__ import annotations

import json
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.nightly.failed_seeds import TAG, failed_before, remember_failed
from regressions.nightly.job import NightJob
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import begun, run


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
    assert remember_failed(path, [job("a-003-icarus", seed=6)]) == 0, (
        "another night's seed, but it sends none"
    )
    others = [job("a-0", seed=5, simulator="verilator"), job("a-0", seed=6, with_seed=6), job("a-0", count=4)]
    assert remember_failed(path, [*others, job("a-1", seed=7, count=4)]) == 3
    assert remember_failed(path, [replace(job("a-0", seed=5), timeout=99.0)]) == 0, "the list gives it longer"
    kept = failed_before(path)
    assert len({each.name for each in kept}) == len(kept) == 4
    assert remember_failed(tmp_path / "other.json", []) == 0
    assert not (tmp_path / "other.json").exists()


def remember(path: Path, first: int) -> None:
    for seed in range(first, first + 25):
        remember_failed(path, [job("a-0", seed=seed, with_seed=seed)])


def test_nights_side_by_side_lose_none(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    nights = [get_context("spawn").Process(target=remember, args=(path, first)) for first in (1, 101, 201)]
    for night in nights:
        night.start()
    for night in nights:
        night.join()
    assert len(failed_before(path)) == 75


def test_of_a_sweep_all_initial_states_are_kept_once(tmp_path: Path) -> None:
    def sweep(night: int) -> list[NightJob]:
        states = [("icarus", 1), ("verilator", 2), ("verilator", 3)]
        return [
            job("x-0", build="x-random", simulator=simulator, seed=night, initial_seed=10 * night + state)
            for simulator, state in states
        ]

    path = tmp_path / "failed.json"
    assert remember_failed(path, sweep(1)) == 3
    assert remember_failed(path, sweep(2)) == 0, "other seeds, but the same is sent"
    kept = failed_before(path)
    assert [each.initial_seed for each in kept] == [11, 12, 13]
    assert len({each.stimulus for each in kept}) == 1, "they are compared again"
    assert remember_failed(path, [replace(each, build="optimized") for each in sweep(3)]) == 2


def changed(key: str, value: object) -> str:
    """Return a file of one good job, and one with another value."""
    jobs = [vars(job("a-0")), vars(job("b-0")) | {key: value}]
    return json.dumps(jobs)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "Invalid JSON: EOF while parsing a list at line 1 column 1; correct it, or remove the file"),
        ("", "Invalid JSON: EOF while parsing a value"),
        ('["\\u0000"]', "holds an escaped NUL"),
        ('{"format": "ga2-failed/2", "jobs": []}', "Input should be a valid array; correct it, or remove"),
        ('[{"name": 3}]', "0.name: Input should be a valid string; correct it, or remove the file"),
        ("[3]", "0: Input should be an object; correct it, or remove the file"),
        (changed("name", "../.."), "1.name: String should match pattern '^[a-z0-9]"),
        (changed("name", "a/b"), "1.name: String should match pattern"),
        (changed("name", "a-0\n"), "1.name: String should match pattern"),
        (changed("name", "a" * 161), "1.name: String should match pattern"),
        (changed("name", "a-0"), "2 jobs would be called a-0; remove all but one"),
        (changed("stimulus", "../x"), "1.stimulus: String should match pattern"),
        (changed("entry", ""), "1.entry: String should match pattern"),
        (changed("seed", 0), "1.seed: Input should be greater than or equal to 1"),
        (changed("seed", "1"), "1.seed: Input should be a valid integer"),
        (changed("initial_seed", 2**31), "1.initial_seed: Input should be less than or equal to 2147483647"),
        (changed("timeout", -1), "1.timeout: Input should be greater than 0"),
        (changed("timeout", float("nan")), "1.timeout: Input should be a finite number"),
        (changed("parameters", []), "1.parameters: Input should be an object"),
        (changed("tags", "t"), "1.tags: Input should be a valid array"),
        (changed("skip", None), "1.skip: Input should be a valid string"),
        (changed("skipp", "x"), "1.skipp: Unexpected keyword argument"),
    ],
)
def test_a_damaged_file_is_told_and_left_alone(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "failed.json"
    path.write_text(text, encoding="utf-8")
    for use in (lambda: failed_before(path), lambda: remember_failed(path, [job("c-0")])):
        with pytest.raises(Ga2Error) as caught:
            use()
        assert str(caught.value).startswith(f"{path}: {message}"), str(caught.value)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("test", "directed.OldTest", "b-0: there is no test 'directed.OldTest'"),
        ("simulator", "ikarus", "b-0: there is no simulator 'ikarus'"),
        ("build", "fast", "b-0: there is no build 'fast'"),
        ("test", "directed.DirectedTest", "b-0: DirectedTest has no parameter 'do'; it takes groups, "),
    ],
)
@pytest.mark.parametrize("failed", [[], [job("c-0", count=3)]], ids=["none failed", "one failed"])
def test_an_entry_that_is_no_longer_valid_is_dropped_with_a_line(
    tmp_path: Path, key: str, value: str, reason: str, failed: list[NightJob]
) -> None:
    path, lines = tmp_path / "failed.json", list[str]()
    path.write_text(changed(key, value), encoding="utf-8")
    assert [each.name for each in failed_before(path, lines.append)] == ["a-0"]
    (line,) = lines
    assert line.startswith(f"{path}: entry dropped: {reason}")
    assert remember_failed(path, failed) == len(failed)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert [each["entry"] for each in kept] == ["a", *(each.entry for each in failed)]
    assert failed_before(path, lines.append)[0].name == "a-0"
    assert len(lines) == 1, "a second night does not see it"


def test_what_is_no_text_or_no_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "failed.json"
    path.write_bytes(b"[\xff")
    with pytest.raises(Ga2Error, match=r"failed\.json:1: is not UTF-8"):
        failed_before(path)
    with pytest.raises(Ga2Error, match="is a directory, not a regular file"):
        failed_before(tmp_path)


def test_what_the_machine_caused_is_not_remembered(tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "killed"), job("b-0", "timeout"), job("c-0", "crashed"), job("d-0")])
    run(night, tmp_path)
    assert {each.entry for each in failed_before(tmp_path / "failed.json")} == {"b", "c"}
