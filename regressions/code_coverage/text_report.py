"""Code coverage in a terminal: percentages before and after exclusions, what is wrong, what was missed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from regressions.coverage.text_report import percent
from verif.code_coverage.point import CodeKind, CodePoint
from verif.code_coverage.score import GOALS, CodeScore

SHOWN = 20
"""Places with missed points that are listed."""


def report(score: CodeScore) -> RenderableType:
    """Return one row a kind, then whatever keeps it from being good."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    for column in ("hit", "points", "%", "excluded", "% after", "goal"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("")
    for each in score.kinds:
        goal = GOALS[each.kind]
        table.add_row(
            each.kind.name.lower(),
            f"{each.hit:,}",
            f"{each.points:,}",
            percent(each.before),
            f"{each.excluded:,}",
            percent(each.after),
            f"{goal:g}",
            Text("✓", "green") if each.after >= goal else Text("✗", "red"),
        )
    return Group(table, *(Text(line) for line in score.problems), *_missed(score.missed))


def _missed(points: Sequence[CodePoint]) -> list[Text]:
    if not points:
        return []
    lines = [Text(f"{len(points):,} points were neither reached nor excluded:")]
    places = list(_places(points))
    lines += [Text(f"  {place}") for place in places[:SHOWN]]
    if len(places) > SHOWN:
        lines.append(Text(f"  and others in {len(places) - SHOWN:,} more places"))
    return lines


def _places(points: Sequence[CodePoint]) -> Iterator[str]:
    """Yield each point in words; the toggles of one signal are one line."""
    for (place, signal), group in groupby(points, key=_place):
        found = list(group)
        if signal is None:
            yield from map(str, found)
        else:
            yield f"{place}: {len(found)} toggles of {signal}"


def _place(point: CodePoint) -> tuple[str, str | None]:
    signal = re.split(r"[\[:]", point.what)[0] if point.kind is CodeKind.TOGGLE else None
    return f"{point.file}:{point.line}", signal
