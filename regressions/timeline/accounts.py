"""Sums of a time line's cycles: by unit, and by what they are spent for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from regressions.timeline.lane import Lane
from regressions.timeline.subject import Subject, SubjectKind
from regressions.timeline.timeline import FRONT_CYCLES, Timeline

SHOWN_SUBJECTS = 15
"""Subjects that people are shown by name; the rest is summed."""


@dataclass(frozen=True, slots=True)
class LaneAccount:
    """The cycles of one lane."""

    lane: Lane
    cycles: int
    instructions: int
    """How many it executes; 0 for the front, which has a part in all of them."""


@dataclass(frozen=True, slots=True)
class SubjectAccount:
    """The cycles that are spent for one subject, FETCH and ISSUE of its instructions included."""

    subject: Subject
    instructions: int
    by_lane: Mapping[Lane, int]
    """Cycles of each lane that works for it."""

    @property
    def cycles(self) -> int:
        """Cycles of all lanes."""
        return sum(self.by_lane.values())


def lane_accounts(timeline: Timeline) -> tuple[LaneAccount, ...]:
    """Return one account a lane, idle ones included; their cycles add up to the program's."""
    return tuple(
        LaneAccount(
            lane=lane,
            cycles=sum(span.last - span.first + 1 for span in timeline.spans(lane)),
            instructions=sum(work.lane is lane for work in timeline.works),
        )
        for lane in Lane
    )


def subject_accounts(timeline: Timeline) -> tuple[SubjectAccount, ...]:
    """Return one account a subject, largest first, else in the order in which the program comes to them.

    The word that ends the program is a subject of its own, so that their cycles add up to the program's.
    """
    cycles: dict[Subject, dict[Lane, int]] = {}
    instructions: dict[Subject, int] = {}
    for work in timeline.works:
        by_lane = cycles.setdefault(work.subject, {})
        by_lane[Lane.FRONT] = by_lane.get(Lane.FRONT, 0) + FRONT_CYCLES
        by_lane[work.lane] = by_lane.get(work.lane, 0) + work.busy.last - work.busy.first + 1
        instructions[work.subject] = instructions.get(work.subject, 0) + 1
    accounts = [SubjectAccount(subject, instructions[subject], cycles[subject]) for subject in cycles]
    accounts.append(SubjectAccount(timeline.end_subject, 0, {Lane.FRONT: FRONT_CYCLES}))
    return tuple(sorted(accounts, key=lambda account: account.cycles, reverse=True))


def with_rest_summed(accounts: Sequence[SubjectAccount], kept: int) -> tuple[SubjectAccount, ...]:
    """Return the first `kept` accounts and one more that sums up the others, unless that were just one."""
    if len(accounts) <= kept + 1:
        return tuple(accounts)
    others = accounts[kept:]
    rest = SubjectAccount(
        subject=Subject(SubjectKind.REST, f"{len(others)} others"),
        instructions=sum(account.instructions for account in others),
        by_lane={lane: sum(account.by_lane.get(lane, 0) for account in others) for lane in Lane},
    )
    return (*accounts[:kept], rest)
