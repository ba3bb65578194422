"""Stretches of a lane that are long enough in a picture to carry the name of what they are for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from refmodel.machine.events import CycleSpan
from regressions.timeline.lane import Lane
from regressions.timeline.timeline import Timeline, Work


@dataclass(frozen=True, slots=True)
class Stretch:
    """Successive instructions of one unit for one tensor, as the tiles of a product are."""

    lane: Lane
    label: str
    """The tensor, or the instruction where no source map names one."""
    span: CycleSpan
    """From the first busy cycle to the last; FETCH and ISSUE in between are not cut out."""


def labelled_stretches(timeline: Timeline, characters: float) -> Iterator[Stretch]:
    """Yield the stretches whose label fits when `characters` fill the width of the whole program."""
    for _, group in groupby(timeline.works, key=lambda work: _key(work, timeline)):
        works = list(group)
        span = CycleSpan(works[0].busy.first, works[-1].busy.last)
        label = works[0].subject.name if timeline.has_map else works[0].text
        if (len(label) + 1) * timeline.cycles <= (span.last - span.first + 1) * characters:
            yield Stretch(works[0].lane, label, span)


def _key(work: Work, timeline: Timeline) -> tuple[object, ...]:
    return (work.lane, work.subject) if timeline.has_map else (work.pc,)
