"""What counts as killed: on a toy model whose one function doubles, and for a sample of the real mutants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from refmodel.errors import Ga2Error
from regressions.software_qualification import mutated_sources
from regressions.software_qualification.mutant import Category, SoftwareMutant
from regressions.software_qualification.mutants import SOFTWARE_MUTANTS
from regressions.software_qualification.outcome import Verdict
from regressions.software_qualification.pytest_run import CaseResult, PytestError, Result, run_tests
from regressions.software_qualification.qualify import (
    TIME_LIMIT,
    judged,
    passing_tests,
    qualify,
    qualify_tests,
)

SAMPLE = ("rejected_rows_stay", "second_operand_loaded_first")
"""What runs in `make test` too."""

TOY = {
    "conftest.py": "",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    "refmodel/__init__.py": "",
    "refmodel/two.py": "def double(x):\n    return 2 * x\n",
    "refmodel/test_two.py": (
        "import pytest\n"
        "from refmodel.two import double\n"
        "def test_zero():\n    assert double(0) == 0\n"
        "@pytest.mark.parametrize('x', [0, 4])\ndef test_sum(x):\n    assert double(x) == x + x\n"
        "@pytest.fixture\ndef six():\n    assert double(3) == 6\n    return 6\n"
        "def test_six(six):\n    assert six == 6\n"
    ),
    "refmodel/test_none.py": "",
    "refmodel/test_red.py": "def test_red():\n    assert 1 == 2\n",
    "refmodel/test_skipped.py": "import pytest\ndef test_skipped():\n    pytest.skip('not here')\n",
}
SUM = "refmodel/test_two.py::test_sum"
TRIPLES = SoftwareMutant(
    "triples", Category.SCALE, "refmodel/two.py", "2 * x", "3 * x", "It triples.", (SUM,)
)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let copies be made of the toy, and return a directory for them."""
    for name, text in TOY.items():
        path = tmp_path / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.setattr(mutated_sources, "REPOSITORY", tmp_path / "toy")
    return tmp_path / "copies"


def test_a_mutant_is_killed_by_a_test_that_passes_without_it_and_its_source_stays(toy: Path) -> None:
    done: list[int] = []
    (outcome,) = qualify_tests([TRIPLES], toy, 1, lambda: done.append(1))
    assert (outcome.verdict, outcome.killer) == (Verdict.KILLED, f"{SUM}[4]")
    assert outcome.detail == "assert 12 == (4 + 4)"
    assert len(done) == 2
    assert (toy.parent / "toy" / TRIPLES.file).read_text() == TOY[TRIPLES.file]


def test_whoever_calls_pytest_with_other_options_or_other_rtl_changes_nothing(
    toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PYTEST_ADDOPTS": "-k none", "PYTHONPATH": "/nowhere", "RTL": "list.f"}.items():
        monkeypatch.setenv(name, value)
    (outcome,) = qualify_tests([TRIPLES], toy, 1)
    assert outcome.verdict is Verdict.KILLED


def test_a_mutant_that_its_tests_do_not_see_survives(toy: Path) -> None:
    passing = frozenset({f"{SUM}[0]", f"{SUM}[4]"})
    outcome = qualify(replace(TRIPLES, after="x + x"), passing, toy / "mutant")
    assert (outcome.verdict, outcome.detail) == (Verdict.SURVIVED, "all of its 2 tests pass")
    assert not outcome.good


@pytest.mark.parametrize(
    ("after", "tests", "detail"),
    [
        ("two * x", (SUM,), "it makes no sense: NameError: name 'two' is not defined"),
        ("2 * x\nraise ValueError('no')", (SUM,), "could not run: collection failure"),
        ("2 * x\nraise ValueError('no')", ("refmodel/test_two.py",), "could not run: collection failure"),
        ("3 * x", ("refmodel/test_two.py::test_six",), "could not run: failed on setup with"),
        ("3 * x", ("refmodel/test_none.py",), "no test ran"),
        ("3 * x", ("refmodel/test_skipped.py",), "no test ran"),
        ("3 * x", ("refmodel/test_red.py",), "test_red fails, but did not pass without the mutant"),
        ("3 * x", (f"{SUM}s",), "pytest ended with status 4, and its report tells not why: "),
    ],
)
def test_what_is_no_failure_of_a_test_is_no_kill(
    toy: Path, after: str, tests: tuple[str, ...], detail: str
) -> None:
    mutant = replace(TRIPLES, after=after, tests=tests)
    outcome = qualify(mutant, frozenset({f"{SUM}[4]"}), toy / "mutant")
    assert outcome.verdict is Verdict.ERROR
    assert detail in outcome.detail


def test_tests_that_do_not_end_are_no_kill(toy: Path) -> None:
    hangs = replace(TRIPLES, after="[0 for _ in iter(int, 1)]")
    outcome = qualify(hangs, frozenset({f"{SUM}[4]"}), toy / "mutant", seconds=3.0)
    assert (outcome.verdict, outcome.detail) == (
        Verdict.ERROR,
        "the tests have not ended after 3 s of CPU time",
    )


@pytest.mark.parametrize(
    ("tests", "message"),
    [
        (
            ("refmodel/test_red.py",),
            "test_red is no passed test without a mutant, so nothing follows: failed",
        ),
        (("refmodel/test_skipped.py",), "test_skipped is no passed test without a mutant, .*: skipped"),
        ((SUM, "refmodel/test_none.py"), "mutant triples: no test is collected for refmodel/test_none.py"),
        (("refmodel/test_gone.py",), "pytest ended with status 4, "),
    ],
)
def test_nothing_is_judged_unless_all_tests_pass_without_a_mutant(
    toy: Path, tests: tuple[str, ...], message: str
) -> None:
    with pytest.raises(Ga2Error, match=message):
        qualify_tests([replace(TRIPLES, tests=tests)], toy, 1)


def test_tests_run_one_by_one_to_the_first_that_fails(toy: Path) -> None:
    mutated_sources.write_copy(toy / "copy", TRIPLES)
    everything = run_tests(toy / "copy", ["refmodel/test_two.py"], TIME_LIMIT, to_first_failure=False)
    names = [case.test.removeprefix("refmodel/test_two.py::") for case in everything]
    assert names == ["test_zero", "test_sum[0]", "test_sum[4]", "test_six"]
    assert [case.result for case in everything] == [
        Result.PASSED, Result.PASSED, Result.FAILED, Result.ERROR,
    ]  # fmt: skip
    first = run_tests(toy / "copy", ["refmodel/test_two.py"], TIME_LIMIT, to_first_failure=True)
    assert first == everything[:3]


def test_a_report_that_contradicts_the_status_is_an_error(toy: Path) -> None:
    mutated_sources.write_copy(toy / "copy", None)
    hook = "def pytest_sessionfinish(session):\n    session.exitstatus = 1\n"
    (toy / "copy" / "conftest.py").write_text(hook)
    with pytest.raises(PytestError, match="pytest ended with status 1, and its report tells not why"):
        run_tests(toy / "copy", [SUM], TIME_LIMIT, to_first_failure=False)


def test_an_error_outweighs_a_failure() -> None:
    cases = [CaseResult("a", Result.FAILED, "assert 1 == 2"), CaseResult("b", Result.ERROR, "gone")]
    assert judged(TRIPLES, cases, frozenset({"a"})).verdict is Verdict.ERROR


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.name, marks=[] if mutant.name in SAMPLE else [pytest.mark.slow])
        for mutant in SOFTWARE_MUTANTS
    ],
)
def test_the_tests_kill_the_mutant(mutant: SoftwareMutant, tmp_path: Path) -> None:
    passing = passing_tests([mutant], tmp_path / "unmutated")
    outcome = qualify(mutant, passing, tmp_path / "mutant")
    assert outcome.good, f"{outcome.verdict.value}: {outcome.detail}"


def test_the_sample_is_of_the_host_loop_and_of_the_compiler() -> None:
    files = [mutant.file for mutant in SOFTWARE_MUTANTS if mutant.name in SAMPLE]
    assert [file.split("/")[1] for file in files] == ["speculative", "capra"]
