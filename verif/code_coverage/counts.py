"""How often each point was reached: Verilator's `coverage.dat`, read, merged and written again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodeKind, CodePoint

Counts = Mapping[CodePoint, int]
"""Every point of a build, those that were never reached included."""

HEADER = "# SystemC::Coverage-3"

_RECORD = re.compile(r"C '(.*)' (\d+)")
_START, _MIDDLE = "\x01", "\x02"
"""What stands before the key and before the value of every field of a record."""


def read_counts(path: Path) -> Counter[CodePoint]:
    """Read one run's file. Raises CodeCoverageError for a missing, damaged or empty one."""
    try:
        header, *records = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CodeCoverageError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise CodeCoverageError(f"{path}: is no file of code coverage") from error
    if header != HEADER:
        raise CodeCoverageError(f"{path}: is no file of code coverage: it does not begin with {HEADER!r}")
    counts: Counter[CodePoint] = Counter()
    for number, record in enumerate(records, start=2):
        found = _RECORD.fullmatch(record)
        if found is None:
            raise CodeCoverageError(f"{path}:{number}: is damaged, or its writing was cut short")
        try:
            counts[_point(found[1])] += int(found[2])
        except (KeyError, ValueError) as error:
            raise CodeCoverageError(f"{path}:{number}: is no point of a kind that is known") from error
    if not counts:
        raise CodeCoverageError(f"{path}: names no point; was the build made for code coverage?")
    return counts


def merge_counts(paths: Iterable[Path]) -> Counter[CodePoint]:
    """Return the sum of runs of one build, in whatever order.

    Raises CodeCoverageError as `read_counts` does, when there is no file, and when two files know of
    different points: their RTL was not the same.
    """
    merged: Counter[CodePoint] = Counter()
    first: Path | None = None
    others: list[Path] = []
    odd: CodePoint | None = None
    for path in paths:
        counts = read_counts(path)
        if first is None:
            first = path
        elif counts.keys() != merged.keys():
            others.append(path)
            odd = odd or min(counts.keys() ^ merged.keys())
            continue
        merged.update(counts)
    if first is None:
        raise CodeCoverageError("no code coverage was given")
    if others:
        more = f"; {len(others) - 1} more are of other RTL:" if others[1:] else ""
        raise CodeCoverageError(
            f"{others[0]}: is of other RTL than {first}: only one of them knows {odd}; collect both again"
            + "\n  ".join([more, *map(str, others[1:])])
        )
    return merged


def write_counts(path: Path, counts: Counts) -> None:
    """Write counts as Verilator does, sorted; equal counts give equal files. Raises OSError."""
    records = [f"C '{_fields(point)}' {counts[point]}" for point in sorted(counts)]
    path.write_text("\n".join([HEADER, *records]) + "\n", encoding="utf-8")


def _point(record: str) -> CodePoint:
    fields = dict(field.split(_MIDDLE, 1) for field in record.split(_START) if field)
    kind = fields["page"].removeprefix("v_").partition("/")[0]
    return CodePoint(
        file=fields["f"],
        line=int(fields["l"]),
        column=int(fields["n"]),
        kind=CodeKind(kind),
        what=fields["o"],
        hierarchy=fields["h"],
        lines=_lines(fields.get("S", "")),
    )


def _fields(point: CodePoint) -> str:
    module = Path(point.file).stem
    fields = {
        "f": point.file,
        "l": str(point.line),
        "n": str(point.column),
        "t": point.kind.value,
        "page": f"v_{point.kind.value}/{module}",
        "o": point.what,
        "h": point.hierarchy,
    }
    if point.lines:
        fields["S"] = ",".join(map(str, point.lines))
    return "".join(f"{_START}{key}{_MIDDLE}{value}" for key, value in fields.items())


def _lines(text: str) -> tuple[int, ...]:
    """Return the lines that a list such as `61-63,65` names."""
    lines: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        lines.extend(range(int(first), int(last or first) + 1))
    return tuple(lines)
