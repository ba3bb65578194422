"""Where a night ran, and everything that it takes to run it again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from regressions.nightly.failed_seeds import TAG
from regressions.nightly.report import list_words
from regressions.report.summary import NightSummary
from verif.failure.provenance import DIRTY, clean_commit
from verif.shell_line import checkout_line, command_line

_HASH = re.compile(r"[0-9a-f]{7,64}")


@dataclass(frozen=True)
class Environment:
    """What a night depended on."""

    commit: str
    """Hexadecimal, unless the summary names none."""
    dirty: bool
    machines: tuple[str, ...]
    again: str
    """One line that runs the night again in a clone."""
    caveats: tuple[str, ...]
    """What that line does not bring back."""


def environment_of(summary: NightSummary) -> Environment:
    """Return it."""
    commit = clean_commit(summary.commit)
    return Environment(
        commit,
        summary.commit.endswith(DIRTY),
        tuple(sorted({job.machine for job in summary.jobs if job.machine})),
        _again(summary, commit),
        tuple(_caveats(summary)),
    )


def job_command(summary: NightSummary) -> str:
    """Return the command that runs one job alone, whose name goes in the place of `JOB`."""
    return command_line(*_words(summary), "--only", "JOB", settings=summary.chip)


def _again(summary: NightSummary, commit: str) -> str:
    if not _HASH.fullmatch(commit):
        return command_line(*_words(summary), settings=summary.chip)
    return checkout_line(commit, *_words(summary), settings=summary.chip)


def _words(summary: NightSummary) -> list[object]:
    return [*list_words(summary.list), "--seed", summary.base_seed]


def _caveats(summary: NightSummary) -> Iterator[str]:
    if not _HASH.fullmatch(summary.commit.removesuffix(DIRTY)):
        yield "the summary names no commit: check out the one that the night ran on"
    if summary.commit.endswith(DIRTY):
        yield "the working tree had changes beyond this commit, which no commit holds"
    if summary.filtered:
        yield "the night ran a part of its list: add the filters (--only, --tag, --sim) that it was given"
    if any(TAG in job.tags for job in summary.jobs):
        yield "some jobs come from remembered failures of that checkout (failed-seeds.json)"
