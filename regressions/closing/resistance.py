"""The holes that a campaign leaves, and why: what was tried for them, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from regressions.closing.campaign import Aimed, Campaign
from regressions.coverage.holes import holes_of
from regressions.coverage.summary import ItemSummary, Summary


@dataclass(frozen=True)
class Resistance:
    """Bins that are still missing, told together."""

    item: str
    words: str
    bins: int
    why: str
    contradicts: bool
    """Did the model say that a job hits them, which it then did not? One of bench and model is wrong."""


def resistances(campaign: Campaign, summary: Summary) -> list[Resistance]:
    """Return what is missing; what was promised and not kept is told apart from what nothing hits."""
    found: list[Resistance] = []
    for each in summary.items:
        aimed = [one for one in campaign.aimed if one.wanted & _missing(each)]
        promised = frozenset[int]().union(*(one.attempt.promised for one in aimed)) & _missing(each)
        for part, kept in ((each, False), (each, True)):
            found += _holes(part, aimed, promised, broken=kept)
    return found


def _holes(
    each: ItemSummary, aimed: Sequence[Aimed], promised: frozenset[int], *, broken: bool
) -> Iterator[Resistance]:
    wanted = _missing(each) & promised if broken else _missing(each) - promised
    counts = np.ones(each.item.shape, np.int64)
    for number in wanted:
        counts[each.item.indices_of(number - each.item.first)] = 0
    why = _broken(aimed, wanted) if broken else _nothing_found(aimed)
    for hole in holes_of(replace(each, counts=counts)):
        yield Resistance(each.item.name, hole.words, hole.bins, why, broken)


def _missing(each: ItemSummary) -> frozenset[int]:
    return frozenset((each.item.first + np.flatnonzero(each.missing)).tolist())


def _broken(aimed: Sequence[Aimed], wanted: frozenset[int]) -> str:
    rounds = sorted({one.round for one in aimed if one.attempt.promised & wanted})
    told = ", ".join(map(str, rounds))
    return f"the model says that what round {told} sent hits it, and the RTL did not: an error of the bench"


def _nothing_found(aimed: Sequence[Aimed]) -> str:
    if not aimed:
        return "nothing was aimed at it, since its item is at its goal"
    ways = " and ".join(sorted({one.aim for one in aimed}))
    tried = sum(one.attempt.tried for one in aimed)
    count = len({one.round for one in aimed})
    rounds = "1 round" if count == 1 else f"{count} rounds"
    if not tried:
        return f"{ways}: none is known to hit it"
    return f"none of {tried:,} {ways} that were tried on the model in {rounds} hits it"
