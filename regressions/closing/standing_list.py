"""Makes the standing regression list out of a campaign, and proves it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from refmodel.errors import Ga2Error
from regressions.closing.job import Job
from regressions.closing.job_runner import JobRunner
from regressions.closing.piece import Piece, pieces_of
from regressions.closing.reduction import cheapest, joined
from regressions.coverage.summary import Summary

MOST_TRIES = 5
"""Lists that are simulated before it is given up."""


class ListError(Ga2Error):
    """No list was found that covers what the campaign does."""


def all_pieces(runner: JobRunner) -> list[Piece]:
    """Return everything that has run in pieces; the model runs all of it, which takes about a minute."""
    return [
        piece
        for job in runner.jobs
        for piece in pieces_of(job, runner.hits(job), runner.finished(job).cycles, runner.model)
    ]


def header(campaign: JobRunner, jobs: Sequence[Job]) -> list[str]:
    """Return what the list says of itself."""
    return [
        "The standing regression list: simulations that together hit every bin of functional coverage.",
        f"{len(jobs)} stand for the {len(campaign.jobs)} of the campaign of seed {campaign.seed}, reduced",
        "to the programs, graphs and decodings that it takes. Made, and proven by running it, by",
        "`python -m regressions close --write-list`; docs/coverage.md tells more.",
    ]


def proven_list(pieces: list[Piece], covered: Summary, runner: JobRunner) -> list[Job]:
    """Return the jobs of the cheapest list that hits on the RTL whatever the campaign did.

    A list is simulated by `runner`. What it misses, though the model told otherwise, is no longer told of the
    pieces in it, and the next list is chosen. Raises ListError when that leads to nothing.
    """
    wanted = frozenset(covered.first_hits)
    for _ in range(MOST_TRIES):
        taken = cheapest(pieces, runner.model)
        jobs, runner.jobs = joined(taken), []
        runner.run(jobs)
        missed = wanted - frozenset(runner.summary().first_hits)
        if not missed:
            return jobs
        pieces = [replace(piece, bins=piece.bins - missed) if piece in taken else piece for piece in pieces]
    raise ListError(f"{MOST_TRIES} lists in turn missed bins that the campaign hit")
