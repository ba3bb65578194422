"""A night at a glance: the verdict in plain words, and what to do first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from regressions.history.failures import RecordedFailure, State
from regressions.nightly.report import list_words
from regressions.nightly.result import Status
from regressions.report.failures import ReportedFailure
from regressions.report.summary import NightSummary, ReportedNight
from verif.shell_line import command_line

MEANINGS = {
    Status.FAILED: "something differs from the model, the chip hangs, or nothing was compared",
    Status.TIMEOUT: "a simulation took more wall clock than its list allows",
    Status.CRASHED: "a simulation broke off by itself, or the bench could not run it",
    Status.FLAKY: "it did one of these, and passed when it was run again: something depends on chance",
    Status.KILLED: "somebody killed the simulation or its worker: nothing is known",
}
"""What is wrong with jobs of a status."""


@dataclass(frozen=True)
class FirstThing:
    """What to do first."""

    words: str
    command: str = ""
    link: str = ""
    """An address where the page tells more."""


def problem_lines(summary: NightSummary) -> Iterator[str]:
    """Yield why the night is not good, in plain words."""
    told = set()
    for status, meaning in MEANINGS.items():
        number = summary.statuses.get(status, 0)
        if number:
            told.add(f"{number} {status}")
            yield f"{number} {'job' if number == 1 else 'jobs'} {status}: {meaning}"
    yield from (problem for problem in summary.problems if problem not in told)


def first_thing(
    night: ReportedNight, failures: Sequence[ReportedFailure], gone: Sequence[RecordedFailure]
) -> FirstThing:
    """Return what to do first: what is new before what is known, causes before consequences."""
    summary = night.summary
    resume = command_line("nightly", "--resume", night.directory)
    if not night.ended:
        return FirstThing("It has not ended. If nothing runs it any more, go on with it:", resume)
    for state, words in (
        (State.NEW, "Something new fails. See the largest new failure again:"),
        (None, "Something fails. See the largest failure again:"),
        (State.KNOWN, "What fails was there before. See the largest failure again:"),
    ):
        for failure in failures:
            if failure.state is state and failure.is_first_choice:
                return FirstThing(words, failure.bucket.reproduce, f"#{failure.anchor}")
    dependent = summary.initial_states.dependent
    if dependent:
        return FirstThing("A result depends on what registers begin with:", dependent[0].reproduce)
    if summary.drifts:
        return FirstThing(
            "Cycle counts moved. See which and since when; where that is meant, accept it:",
            command_line("history", "trends"),
            "trends.html#cycles",
        )
    if summary.missing:
        number = len(summary.missing)
        return FirstThing(
            f"{number} {'job has' if number == 1 else 'jobs have'} no result. Run what is left:", resume
        )
    for failure in failures:
        return FirstThing("See the largest failure again:", failure.bucket.reproduce, f"#{failure.anchor}")
    if summary.problems:
        return FirstThing(f"Look into this: {summary.problems[0]}.")
    if summary.warnings:
        return FirstThing("Throughput dropped; see how it moved.", link="trends.html#throughput")
    if summary.verdict.part:
        whole = command_line(*list_words(summary.list))
        return FirstThing("Nothing fails in this part of the list. Run the whole list:", whole)
    if any(each.state is State.FIXED for each in gone):
        return FirstThing("Nothing: all is good, and what failed before is fixed.")
    return FirstThing("Nothing: all is good.")
