"""Runs the tests of each mutant, first without and then with it, and judges what they say.

A mutant is killed by a test that passes without it and whose body fails with it. Whatever else goes wrong is
an error: a file that cannot be imported or a name that does not exist would fail every test, and shows
nothing about any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.side_by_side import run_side_by_side
from regressions.software_qualification.mutant import SoftwareMutant
from regressions.software_qualification.mutated_sources import write_copy
from regressions.software_qualification.outcome import Outcome, Verdict
from regressions.software_qualification.pytest_run import CaseResult, PytestError, Result, run_tests

TIME_LIMIT = 300.0
"""Seconds after which a run counts as hung; without other load none takes more than a few."""

_BROKEN_PYTHON = ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError", "SyntaxError")
"""Exceptions that say the mutant itself makes no sense, whatever the test is about."""


def qualify_tests(
    mutants: Sequence[SoftwareMutant],
    directory: Path,
    workers: int,
    on_done: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Judge each mutant, in copies below a directory of the caller's, several at a time.

    `on_done` is called for every run of tests that has ended, which are one more than mutants. Raises
    Ga2Error if not all tests pass without any mutant, or if there is none for one of the mutants. All mutants
    are made from the one copy without a mutant: what is edited meanwhile is in none.
    """
    unmutated = directory / "unmutated"
    passing = passing_tests(mutants, unmutated)
    on_done()

    def judge(mutant: SoftwareMutant) -> Outcome:
        outcome = qualify(mutant, passing, directory / mutant.name, origin=unmutated)
        on_done()
        return outcome

    return run_side_by_side(judge, mutants, workers)


def passing_tests(
    mutants: Sequence[SoftwareMutant], directory: Path, seconds: float = TIME_LIMIT
) -> frozenset[str]:
    """Run the tests of all mutants without a mutant, in a new `directory`, and return them one by one.

    Raises Ga2Error as `qualify_tests` does.
    """
    write_copy(directory, None)
    tests = list(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
    cases = run_tests(directory, tests, seconds, to_first_failure=False)
    for case in cases:
        if case.result is not Result.PASSED:
            raise Ga2Error(
                f"{case.test} is no passed test without a mutant, so nothing follows: "
                f"{case.result.value}: {case.message}"
            )
    passing = frozenset(case.test for case in cases)
    for mutant in mutants:
        for selection in mutant.tests:
            if not any(_selects(selection, test) for test in passing):
                raise Ga2Error(f"mutant {mutant.name}: no test is collected for {selection}")
    return passing


def qualify(
    mutant: SoftwareMutant,
    passing: frozenset[str],
    directory: Path,
    seconds: float = TIME_LIMIT,
    origin: Path | None = None,
) -> Outcome:
    """Run the mutant's tests with it, in a new `directory`, up to the first that fails, and judge that.

    `passing` are the tests that pass without it, `origin` is as in `write_copy`. Raises
    MutationError if it does not fit the sources.
    """
    write_copy(directory, mutant, origin)
    try:
        cases = run_tests(directory, mutant.tests, seconds, to_first_failure=True)
    except PytestError as error:
        return Outcome(mutant, Verdict.ERROR, detail=str(error))
    return judged(mutant, cases, passing)


def judged(mutant: SoftwareMutant, cases: Sequence[CaseResult], passing: frozenset[str]) -> Outcome:
    """Return the verdict on what the mutant's tests did up to the first that failed."""
    failed = next((case for case in cases if case.result is Result.FAILED), None)
    error = next((case for case in cases if case.result is Result.ERROR), None)
    if error is not None:
        return Outcome(mutant, Verdict.ERROR, detail=f"{error.test} could not run: {error.message}")
    if failed is not None:
        if failed.message.startswith(_BROKEN_PYTHON):
            return Outcome(mutant, Verdict.ERROR, detail=f"it makes no sense: {failed.message}")
        if failed.test not in passing:
            return Outcome(
                mutant, Verdict.ERROR, detail=f"{failed.test} fails, but did not pass without the mutant"
            )
        return Outcome(mutant, Verdict.KILLED, failed.test, failed.message)
    ran = sum(case.result is Result.PASSED for case in cases)
    if not ran:
        return Outcome(mutant, Verdict.ERROR, detail="no test ran")
    return Outcome(mutant, Verdict.SURVIVED, detail=f"all of its {ran} tests pass")


def _selects(selection: str, test: str) -> bool:
    """Does pytest choose this test for that file or function?"""
    return test == selection or test.startswith((f"{selection}::", f"{selection}["))
