"""Where a night ran, and everything that it takes to run it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from regressions.nightly.failed_seeds import TAG
from regressions.report.summary import NightSummary
from verif.failure.provenance import DIRTY, clean_commit


@dataclass(frozen=True)
class Environment:
    """What a night depended on."""

    commit: str
    """Hexadecimal."""
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
        f"git checkout {commit} && {list_command(summary)} --seed {summary.base_seed}",
        tuple(_caveats(summary)),
    )


def list_command(summary: NightSummary) -> str:
    """Return the command that runs the night's list on its RTL."""
    settings = [f"{name}={shlex.quote(value)}" for name, value in summary.chip.items()]
    return " ".join([*settings, "python -m regressions nightly", shlex.quote(summary.list)])


def job_command(summary: NightSummary) -> str:
    """Return the command that runs one job alone, whose name goes in the place of `JOB`."""
    return f"{list_command(summary)} --seed {summary.base_seed} --only JOB"


def _caveats(summary: NightSummary) -> Iterator[str]:
    if summary.commit.endswith(DIRTY):
        yield "the working tree had changes beyond this commit, which no commit holds"
    if summary.filtered:
        yield "the night ran a part of its list: add the filters (--only, --tag, --sim) that it was given"
    if any(TAG in job.tags for job in summary.jobs):
        yield "some jobs come from remembered failures of that checkout (failed-seeds.json)"
