"""What text and picture say in the same words."""

from __future__ import annotations

from regressions.timeline.timeline import Timeline


def end_line(timeline: Timeline) -> str:
    """Return how much there is and how it ends: `56 cycles, 3 instructions, halts at pc 3`."""
    end = timeline.end
    counts = f"{_counted(timeline.cycles, 'cycle')}, {_counted(len(timeline.works), 'instruction')}"
    if not end.fault:
        return f"{counts}, halts at pc {end.pc}"
    return f"{counts}, faults at pc {end.pc} in cycle {end.cycle:,}: {timeline.fault}"


def share(cycles: int, timeline: Timeline) -> str:
    """Return a part of all cycles in percent."""
    return f"{100 * cycles / timeline.cycles:.1f} %"


def shortened(text: str, length: int) -> str:
    """Return a text, or its beginning and … if it has more than `length` characters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
