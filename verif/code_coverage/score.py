"""Percentages, before and after exclusions, and whether they are good enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from verif.code_coverage.counts import Counts
from verif.code_coverage.exclusions import Exclusion, apply_exclusions
from verif.code_coverage.point import CodeKind, CodePoint

GOALS = {
    CodeKind.LINE: 100.0,
    CodeKind.BRANCH: 100.0,
    CodeKind.EXPRESSION: 99.0,
    CodeKind.TOGGLE: 99.0,
    CodeKind.FSM: 100.0,
}
"""Percent of each kind, after exclusions."""

PROJECT_RTL = "hdl/rtl/"
"""Cover points of state machines are bound to it alone."""

MOST_EXCLUDED = 3.0
"""Percent of a kind that may be excluded."""


@dataclass(frozen=True)
class KindScore:
    """The points of one kind in numbers."""

    kind: CodeKind
    points: int
    hit: int
    excluded: int

    @property
    def before(self) -> float:
        """Percent reached of all points."""
        return 100.0 * self.hit / self.points

    @property
    def after(self) -> float:
        """Percent reached of those that are not excluded; 100 when all are."""
        wanted = self.points - self.excluded
        return 100.0 * self.hit / wanted if wanted else 100.0

    @property
    def share_excluded(self) -> float:
        """Percent of all points that are excluded."""
        return 100.0 * self.excluded / self.points


@dataclass(frozen=True)
class CodeScore:
    """The verdict on the code coverage of one build."""

    kinds: tuple[KindScore, ...]
    missed: tuple[CodePoint, ...]
    """Neither reached nor excluded, in the order of the sources."""
    problems: tuple[str, ...]
    """What is wrong with the exclusions."""

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """What keeps this from being good: goals that are missed, and all problems."""
        return (*_missed_goals(self.kinds), *self.problems)


def score(counts: Counts, exclusions: list[Exclusion], root: Path) -> CodeScore:
    """Judge counts; sources are found from `root` on."""
    excluded = apply_exclusions(exclusions, counts, root)
    kinds = []
    problems = list(excluded.problems)
    for kind in CodeKind:
        points = [point for point in counts if point.kind is kind]
        if not points:
            if kind is CodeKind.FSM and not any(point.file.startswith(PROJECT_RTL) for point in counts):
                continue
            problems.append(f"no {kind.name.lower()} is counted; was the build made for all kinds?")
            continue
        hit = sum(counts[point] > 0 for point in points)
        left_out = sum(point in excluded.points for point in points)
        kinds.append(KindScore(kind, len(points), hit, left_out))
    missed = sorted(point for point in counts if not counts[point] and point not in excluded.points)
    return CodeScore(tuple(kinds), tuple(missed), tuple(problems))


def _missed_goals(kinds: tuple[KindScore, ...]) -> Iterator[str]:
    for each in kinds:
        name = each.kind.name.lower()
        if each.after < GOALS[each.kind]:
            yield f"{name}: {each.after:.2f} % after exclusions, {GOALS[each.kind]:.0f} % wanted"
        if each.share_excluded > MOST_EXCLUDED:
            yield f"{name}: {each.share_excluded:.2f} % are excluded, at most {MOST_EXCLUDED:.0f} % may be"
