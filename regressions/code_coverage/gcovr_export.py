"""LCOV and HTML by way of gcovr, which reads the counts as one of its own JSON files.

gcovr knows lines and branches. Conditions and toggles become branches of their lines, so its totals are not
those of the table, which counts each kind by itself. Excluded points are excluded there too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Set
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcovr.data_model.version import FORMAT_VERSION

from refmodel.errors import Ga2Error
from verif.code_coverage.point import CodeKind, CodePoint


def export(
    counts: Mapping[CodePoint, int],
    excluded: Set[CodePoint],
    root: Path,
    *,
    lcov: Path | None = None,
    html: Path | None = None,
) -> None:
    """Write an LCOV file, an HTML page with one more for each source beside it, or both.

    Sources are found from `root` on. Raises Ga2Error when gcovr does not write them.
    """
    with TemporaryDirectory() as directory:
        tracefile = Path(directory) / "counts.json"
        tracefile.write_text(json.dumps(_tracefile(counts, excluded)), encoding="utf-8")
        command = [sys.executable, "-m", "gcovr", "--root", str(root), "--json-add-tracefile", str(tracefile)]
        command += ["--lcov", str(lcov.resolve())] if lcov else []
        command += ["--html-details", str(html.resolve()), "--html-title", "RTL of GA2"] if html else []
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Ga2Error(f"gcovr could not write it: {done.stderr.strip().rpartition(chr(10))[2]}")


def _tracefile(counts: Mapping[CodePoint, int], excluded: Set[CodePoint]) -> dict[str, Any]:
    by_file: dict[str, dict[int, list[CodePoint]]] = defaultdict(lambda: defaultdict(list))
    for point in sorted(counts):
        for line in point.lines or (point.line,):
            by_file[point.file][line].append(point)
    return {
        "gcovr/format_version": FORMAT_VERSION,
        "files": [
            {
                "file": file,
                "lines": [
                    _line(number, points, counts, excluded) for number, points in sorted(lines.items())
                ],
                "functions": [],
            }
            for file, lines in sorted(by_file.items())
        ],
    }


def _line(
    number: int, points: list[CodePoint], counts: Mapping[CodePoint, int], excluded: Set[CodePoint]
) -> dict[str, Any]:
    statements = [point for point in points if point.kind is CodeKind.LINE]
    decisions = [point for point in points if point.kind is not CodeKind.LINE and point.line == number]
    counted = statements or points
    return {
        "line_number": number,
        "count": max(counts[point] for point in counted),
        "gcovr/excluded": all(point in excluded for point in counted),
        "branches": [
            {
                "branchno": position,
                "count": counts[point],
                "fallthrough": False,
                "throw": False,
                "gcovr/excluded": point in excluded,
            }
            for position, point in enumerate(decisions)
        ],
    }
