"""What the terminal says of failures in the published table: enough to go on with, however much is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from regressions.failure_lines import SHOWN_IN_ALL
from regressions.nightly.buckets import without_numbers
from regressions.published.run import TableResult
from regressions.published.table import Row
from verif.shell_line import command_line
from verif.simulation.sim_make import rtl_settings

SHOWN_A_CAUSE = 10
"""Mismatches of one cause that `run` prints."""


def table_failures(results: Sequence[TableResult], whole: Path) -> Iterator[str]:
    """Yield what the bench found wrong in the table and how to see it again; `whole` is the file with all.

    Failures whose first lines differ in names of programs and in numbers alone have one cause: the first is
    printed with its command, the others are counted. Every cause gets a share of the lines.
    """
    causes: dict[str, list[_Failure]] = {}
    for failure in (failure for result in results for failure in _failures(result)):
        causes.setdefault(failure.cause, []).append(failure)
    share = min(SHOWN_A_CAUSE, max(1, SHOWN_IN_ALL // max(1, len(causes))))
    hidden = 0
    for first, *others in causes.values():
        yield from (f"{first.place}: {text}" for text in first.mismatches[:share] or ["see the table"])
        if others:
            yield f"    the same in {len(others)} more: {', '.join(_counted(others))}"
        if first.command:
            yield f"    {first.command}"
        hidden += len(first.mismatches[share:]) + sum(len(other.mismatches) for other in others)
    if hidden:
        yield f"{hidden} more in {whole}"
    explanations: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for result in results:
        for lines in result.explanations:
            explanations.setdefault(without_numbers(lines[0]), []).append((result.simulator, lines))
    for (simulator, first_lines), *same in explanations.values():
        yield from (f"{simulator}: {line}" for line in first_lines)
        if same:
            yield f"    the same in {len(same)} more simulations, of other programs or numbers"


def reproduction(row: Row, simulator: str) -> str:
    """Return the one command that runs the row again on the same RTL; empty for a single program."""
    if not row.command:
        return ""
    return command_line(*row.command.split(), "--sim", simulator, settings=rtl_settings())


@dataclass(frozen=True)
class _Failure:
    """A failed row of one simulator, or what belongs to no row."""

    simulator: str
    place: str
    mismatches: Sequence[str]
    command: str = ""

    @property
    def cause(self) -> str:
        """What failures of the same cause have in common; a row of wrong figures stands for itself."""
        if not self.mismatches:
            return self.place
        first = self.mismatches[0]
        return without_numbers(first.partition(": ")[2] or first)


def _failures(result: TableResult) -> Iterator[_Failure]:
    for row in result.rows:
        if not row.good:
            place = f"{result.simulator}, {row.section}, {row.name}"
            yield _Failure(result.simulator, place, row.mismatches, reproduction(row, result.simulator))
    if result.mismatches:
        yield _Failure(result.simulator, result.simulator, result.mismatches)


def _counted(failures: Sequence[_Failure]) -> Iterator[str]:
    """Yield how many of the failures each simulator has."""
    for simulator, count in Counter(failure.simulator for failure in failures).items():
        yield f"{count} on {simulator}"
