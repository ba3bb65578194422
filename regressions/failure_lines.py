"""What the terminal says of failures: enough to go on with, however much is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from regressions.published.run import TableResult
from regressions.published.table import Row
from verif.shell_line import command_line
from verif.simulation.sim_make import rtl_settings

SHOWN_IN_ALL = 40
"""Mismatches that one command prints."""

SHOWN_A_ROW = 10
"""Mismatches of one row and simulator that `run` prints."""


def capped(lines: Sequence[str], limit: int, where: Path | str) -> list[str]:
    """Return the first `limit` lines and, if there are more, one that says how many and where they are."""
    rest = len(lines) - limit
    return [*lines[:limit], f"{rest} more in {where}"] if rest > 0 else list(lines)


def shown_path(path: Path) -> Path:
    """Return the path as the user would type it: relative to where they are, if it is below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def table_failures(results: Sequence[TableResult], whole: Path) -> Iterator[str]:
    """Yield what the bench found wrong in the table and how to see it again; `whole` is the file with all.

    Every failed row gets a share of the lines, so that none hides the others, and below them its command.
    """
    failures = [failure for result in results for failure in _failures(result)]
    finding = sum(1 for _, found, _ in failures if found)
    share = min(SHOWN_A_ROW, max(1, SHOWN_IN_ALL // max(1, finding)))
    hidden = 0
    for place, found, command in failures:
        if command and not found:
            yield f"{place}: see the table"
        for text in found[:share]:
            yield f"{place}: {text}"
        hidden += len(found[share:])
        if command:
            yield f"    {command}"
    if hidden:
        yield f"{hidden} more in {whole}"
    for result in results:
        for line in result.explanations:
            yield f"{result.simulator}: {line}"


def reproduction(row: Row, simulator: str) -> str:
    """Return the one command that runs the row again on the same RTL; empty for a single program."""
    if not row.command:
        return ""
    return command_line(*row.command.split(), "--sim", simulator, settings=rtl_settings())


def _failures(result: TableResult) -> Iterator[tuple[str, Sequence[str], str]]:
    """Yield place, mismatches and command of each failed row, and then what belongs to no row.

    Rows that one broken simulation kept from running all have the same reason, which is told once.
    """
    told: set[tuple[str, ...]] = set()
    for row in result.rows:
        if row.good:
            continue
        ran = any(figure.found is not None for figure in row.figures)
        found = () if not ran and row.mismatches in told else row.mismatches
        told.add(row.mismatches)
        yield f"{result.simulator}, {row.section}, {row.name}", found, reproduction(row, result.simulator)
    if result.mismatches:
        yield result.simulator, result.mismatches, ""
