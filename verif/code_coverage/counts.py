"""How often each point was reached: Verilator's `coverage.dat`, read, merged and written again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sequences.document import DocumentError, read_text
from sequences.whole_file import write_text
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodeKind, CodePoint

Counts = Mapping[CodePoint, int]
"""Every point of a build, those that were never reached included."""

HEADER = "# SystemC::Coverage-3"

_SEAL = "# ga2-code-coverage/1: {} records"
"""The last line of a file that is kept: Verilator writes none, and a file cut at a line's end lacks it."""

_LIMIT = 64_000_000
"""Bytes of a file; the RTL of GA2 makes 1.2 million."""

_MOST_LINES = 100_000
"""Of a source."""

_RECORD = re.compile(r"C '(.*)' (\d{1,20})", re.ASCII)
_START, _MIDDLE = "\x01", "\x02"
"""What stands before the key and before the value of every field of a record."""


def read_counts(path: Path) -> Counter[CodePoint]:
    """Read a file that was kept. Raises CodeCoverageError for a missing, damaged, cut or empty one."""
    records = _sealed_records(path)
    counts: Counter[CodePoint] = Counter()
    for number, record in enumerate(records, start=2):
        found = _RECORD.fullmatch(record)
        if found is None:
            raise CodeCoverageError(f"{path}:{number}: is damaged")
        try:
            counts[_point(found[1])] += int(found[2])
        except (KeyError, ValueError) as error:
            raise CodeCoverageError(f"{path}:{number}: is not a point of a known kind") from error
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
    """Write counts as Verilator does, sorted; equal counts give equal files. Raises Ga2Error."""
    _write(path, [f"C '{_fields(point)}' {counts[point]}" for point in sorted(counts)])


def keep_counts(written: Path, path: Path) -> None:
    """Keep what Verilator has written at the end of a simulation, in a file that shows whether it is whole.

    Raises CodeCoverageError when Verilator's file is missing or cut short, Ga2Error when `path` cannot be
    written.
    """
    text = _text(written)
    if not text.endswith("\n"):
        raise CodeCoverageError(f"{written}: its writing was cut short; is the disk full?")
    _write(path, _records(written, text))


def _write(path: Path, records: Sequence[str]) -> None:
    write_text(path, "\n".join([HEADER, *records, _SEAL.format(len(records))]) + "\n")


def _sealed_records(path: Path) -> list[str]:
    """Return the records of a file that was kept, as many as its last line promises."""
    *records, seal = _records(path, _text(path)) or [""]  # a header alone has none
    if seal != _SEAL.format(len(records)):
        raise CodeCoverageError(
            f"{path}: is cut short: its last line does not give its number of records; collect it again"
        )
    return records


def _records(path: Path, text: str) -> list[str]:
    header, *records = text.removesuffix("\n").split("\n")
    if header != HEADER:
        raise CodeCoverageError(f"{path}: is not a file of code coverage: it does not begin with {HEADER!r}")
    return records


def _text(path: Path) -> str:
    try:
        return read_text(path, _LIMIT)
    except DocumentError as error:
        raise CodeCoverageError(str(error)) from error


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
        if int(last or first) - int(first) > _MOST_LINES:
            raise ValueError("more lines than a source has")
        lines.extend(range(int(first), int(last or first) + 1))
    return tuple(lines)
