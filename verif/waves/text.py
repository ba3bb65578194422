"""A window as text for terminals: its instructions, a strip of many cycles, a table of those that matter."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.machine.report_lines import COLUMNS, labelled
from verif.waves.entering import entering
from verif.waves.lanes import lanes_of
from verif.waves.scene import Scene

LABEL = 18
"""Columns of a lane's label, in front of everything."""

CELL = 12
"""Columns of a cycle in the table: a signed 32-bit number and a space."""

TABLE_BEFORE, TABLE_AFTER = 3, 2
"""Cycles of the table round the divergence."""

STRIP_BEFORE, STRIP_AFTER = 55, 22
"""Cycles of the strip round the divergence."""

_PHASES = {"FETCH": "F", "ISSUE": "I", "busy": "=", "halted": "h", "?": "?", "x": "x"}
_LEVELS = {"0": ".", "1": "#", "x": "x"}


def window_text(scene: Scene) -> str:
    """Return the text, at most `COLUMNS` wide; the mismatch is marked with `>`, `v` and `*`."""
    return "\n".join(line.rstrip() for line in _lines(scene)) + "\n"


def _lines(scene: Scene) -> Iterator[str]:
    yield from labelled("", scene.headline, 0)
    for label, text in scene.facts:
        yield from labelled(label, text)
    for edge in entering(scene):
        yield from labelled("", str(edge))
    yield ""
    yield from _instructions(scene)
    yield ""
    yield from _strip(scene)
    yield ""
    yield from _table(scene)


def _instructions(scene: Scene) -> Iterator[str]:
    yield f"  {'instruction':58}cycles (model)"
    for stretch in scene.stretches:
        mark = ">" if stretch.pc == scene.divergence.pc else " "
        yield f"{mark} {f'{stretch.pc}: {stretch.text}'[:56]:58}{stretch.first}..{stretch.last}"


def _strip(scene: Scene) -> Iterator[str]:
    """Yield one character a cycle for whatever is a level, and for the phase."""
    cycles = scene.around_marker(STRIP_BEFORE, STRIP_AFTER)
    yield f"  cycles {cycles[0]}..{cycles[-1]}; F FETCH, I ISSUE, = busy, # high"
    yield f"  {'':{LABEL}}{' ' * cycles.index(scene.marker)}v {scene.marker}"
    for lane in lanes_of(scene, cycles):
        if lane.label.startswith("phase"):
            yield f"  {lane.label:{LABEL}}{''.join(_PHASES.get(text, text or ' ') for text in lane.texts)}"
        elif lane.is_level:
            yield f"  {lane.label:{LABEL}}{''.join(_LEVELS.get(text, text) for text in lane.texts)}"


def _table(scene: Scene) -> Iterator[str]:
    cycles = scene.around_marker(TABLE_BEFORE, TABLE_AFTER)
    column = cycles.index(scene.marker)
    titles = [f"*{cycle}*" if cycle == scene.marker else str(cycle) for cycle in cycles]
    yield _row("cycle", titles)
    for lane in lanes_of(scene, cycles):
        texts = [_LEVELS.get(text, text) if lane.is_level else text for text in lane.texts]
        if lane.is_marked:
            texts[column] = f"*{texts[column] or 'nothing'}*"
        yield _row(lane.label, texts)


def _row(label: str, texts: list[str]) -> str:
    return f"  {label:{LABEL}}{''.join(f'{text:>{CELL}}' for text in texts)}"[:COLUMNS]
