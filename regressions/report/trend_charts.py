"""How nights went, drawn: coverage, throughput by machine, cycles of the standing workloads, time.

This module loads matplotlib.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from regressions.history.trends import StandingCycles, TrendPoint
from regressions.page_chart import GOOD, LINE, SERIES, SOFT, STYLES, page_chart

_SIZE = (6.4, 2.6)
"""Inches."""


@dataclass(frozen=True)
class Chart:
    """A picture with its title."""

    title: str
    svg: str


Line = tuple[str, Sequence[float | None]]
"""A name, and a value a night; None where there is none."""


def coverage_chart(points: Sequence[TrendPoint], zone: tzinfo | None) -> Chart:
    """Return the percentage of bins that each whole night hit: a part of a list is no drop."""
    values = [point.night.coverage if point.night.whole else None for point in points]
    return _chart("Functional coverage", "% of bins", points, zone, [("coverage", values)], top=100.0)


def duration_chart(points: Sequence[TrendPoint], zone: tzinfo | None) -> Chart:
    """Return what each whole night took."""
    values = [point.night.seconds / 60 if point.night.whole else None for point in points]
    return _chart("Time", "minutes", points, zone, [("minutes", values)])


def throughput_charts(points: Sequence[TrendPoint], zone: tzinfo | None) -> Iterator[Chart]:
    """Yield a chart a simulator's build, with a line a machine: those of different ones do not compare.

    Machines are told by their numbers in `machines_of`: what they are called is too long for a chart.
    """
    numbers = {machine: number for number, machine in enumerate(machines_of(points), 1)}
    found: dict[tuple[str, str], dict[str, dict[int, float]]] = {}
    for number, point in enumerate(points):
        for speed in point.speeds:
            machines = found.setdefault((speed.simulator, speed.build), {})
            machines.setdefault(speed.machine, {})[number] = speed.cycles_per_second
    for (simulator, build), machines in sorted(found.items()):
        lines: list[Line] = [
            (f"machine {numbers[machine]}", [speeds.get(number) for number in range(len(points))])
            for machine, speeds in sorted(machines.items())
        ]
        yield _chart(f"Throughput, {simulator} ({build})", "cycles a CPU second", points, zone, lines)


def machines_of(points: Sequence[TrendPoint]) -> list[str]:
    """Return the machines of these nights; their places in it, from 1, are what charts and tables tell."""
    return sorted({speed.machine for point in points for speed in point.speeds})


def speed_columns(points: Sequence[TrendPoint]) -> dict[tuple[str, str], dict[int, list[str]]]:
    """Return for each simulator's build the text of every night, by its number.

    Where there are several machines, theirs stands behind each speed.
    """
    machines = machines_of(points)
    speeds: dict[tuple[str, str], dict[int, list[str]]] = {}
    for point in points:
        for speed in point.speeds:
            place = f" on {machines.index(speed.machine) + 1}" if len(machines) > 1 else ""
            column = speeds.setdefault((speed.simulator, speed.build), defaultdict(list))
            column[point.night.number].append(f"{speed.cycles_per_second:,.0f}{place}")
    return dict(sorted(speeds.items()))


def cycles_chart(
    points: Sequence[TrendPoint], zone: tzinfo | None, standing: Sequence[StandingCycles]
) -> Chart | None:
    """Return the cycles of the standing workloads together, a line a simulator; None where none ever ran."""
    simulators = sorted({each.simulator for each in standing})
    if not simulators:
        return None
    most = {name: max(each.workloads for each in standing if each.simulator == name) for name in simulators}
    known = {
        (each.night, each.simulator): each.cycles
        for each in standing
        if each.workloads == most[each.simulator]  # the sum of fewer is another sum
    }
    lines: list[Line] = [
        (simulator, [known.get((point.night.number, simulator)) for point in points])
        for simulator in simulators
    ]
    return _chart("Cycles of all standing workloads together", "cycles", points, zone, lines, near=True)


def _chart(
    title: str,
    unit: str,
    points: Sequence[TrendPoint],
    zone: tzinfo | None,
    lines: Sequence[Line],
    top: float | None = None,
    near: bool = False,
) -> Chart:
    """Return a chart from 0 on, with a line at `top`; or with `near` of the values' own range."""
    numbers = range(len(points))

    def draw(axes: Axes) -> None:
        for number, (name, values) in enumerate(lines):
            style, marker = STYLES[number % len(STYLES)]
            there = [(x, value) for x, value in zip(numbers, values, strict=True) if value is not None]
            axes.plot(
                [x for x, _ in there],
                [value for _, value in there],
                linestyle=style,
                marker=marker,
                markersize=4,
                linewidth=1.8,
                color=GOOD if len(lines) == 1 else SERIES[number % len(SERIES)],
                label=name,
            )
        if top is not None:
            axes.axhline(top, color=LINE, linewidth=1.0, zorder=0)
        known = [value for _, values in lines for value in values if value is not None] or [0.0]
        low, high = min(known), max(known)
        margin = max(0.02 * high, 0.5 * (high - low))
        axes.set_ylim(*(low - margin, high + margin) if near else (0, 1.12 * max(high, top or 0.0) or 1.0))
        axes.set_xlim(-0.5, len(points) - 0.5)
        axes.yaxis.set_major_locator(MaxNLocator(4) if top is None else FixedLocator([0, top / 2, top]))
        axes.yaxis.set_major_formatter(
            FuncFormatter(lambda value, _: f"{value:,.0f}" if near else short_number(value))
        )
        axes.xaxis.set_major_locator(MaxNLocator(6, integer=True, min_n_ticks=1))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _day(points, zone, value)))
        axes.set_ylabel(unit, color=SOFT)
        axes.grid(axis="y", color=LINE, linewidth=0.7)
        axes.set_axisbelow(True)
        if len(lines) > 1:
            axes.legend(labelcolor=SOFT, frameon=False, loc="lower right", fontsize=9)

    last = [f"{name} {values[-1]:,.4g}" for name, values in lines if values and values[-1] is not None]
    words = f"{title} over {len(points)} nights, in {unit}; the last: {', '.join(last) or 'nothing'}"
    return Chart(title, page_chart(draw, _SIZE, title, words))


def short_number(value: float) -> str:
    """Return a number in a few characters: 250k, 1.5M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def _day(points: Sequence[TrendPoint], zone: tzinfo | None, value: float) -> str:
    number = round(value)
    if number != value or not 0 <= number < len(points):
        return ""
    return datetime.fromisoformat(points[number].night.began).astimezone(zone).strftime("%d %b")
