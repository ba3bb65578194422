"""The cheapest pieces of what has run that together cover what all of it covers, joined into jobs again."""

from __future__ import annotations

from collections.abc import Sequence

from regressions.closing.job import Job
from regressions.closing.piece import Piece
from regressions.closing.pieces import group_of, join
from regressions.coverage.set_cover import cheapest_cover
from verif.coverage.model import CoverageModel

CYCLES_A_PROGRAM = 5_000
"""What a program costs beside its own cycles, in cycles of Verilator: bench and model take time, too."""

CYCLES_A_JOB = 300_000
"""What a simulation costs beside its programs."""

ICARUS_FACTOR = 4
"""How many times as long Icarus takes, bench included."""

ON_ICARUS_TOO = ("control",)
"""Families whose bins the list hits on Icarus as well, as far as the campaign did: when start and rst come is
what two simulators could see differently. All else is data, in which the bench compares them anyway."""


def cheapest(pieces: Sequence[Piece], model: CoverageModel) -> list[Piece]:
    """Return the pieces whose simulation costs least among those that hit all that all of them hit."""
    too = {
        number
        for item in model
        if item.family in ON_ICARUS_TOO
        for number in range(item.first, item.first + item.size)
    }
    taken = cheapest_cover(
        [_elements(piece, too, model.bins) for piece in pieces],
        [_cost(piece) for piece in pieces],
        [group_of(piece.job) for piece in pieces],
        CYCLES_A_JOB,
    )
    return [pieces[position] for position in taken]


def joined(pieces: Sequence[Piece]) -> list[Job]:
    """Return the fewest jobs that send these pieces."""
    groups: dict[str, list[Job]] = {}
    for piece in pieces:
        groups.setdefault(group_of(piece.job), []).append(piece.job)
    jobs: list[Job] = []
    for parts in groups.values():
        name = f"{parts[0].simulator}-{parts[0].test.partition('.')[0].replace('_', '-')}"
        known = sum(job.name.startswith(name) for job in jobs)
        jobs.append(join(f"{name}-{known + 1}" if known else name, parts))
    return jobs


def _elements(piece: Piece, too: set[int], bins: int) -> frozenset[int]:
    """Return what a piece hits; what must be hit on Icarus too is numbered from `bins` on there."""
    if piece.job.simulator == "verilator":
        return piece.bins
    return piece.bins | {bins + number for number in piece.bins & too}


def _cost(piece: Piece) -> float:
    cost = piece.cycles + CYCLES_A_PROGRAM * piece.programs
    return float(cost * (ICARUS_FACTOR if piece.job.simulator == "icarus" else 1))
