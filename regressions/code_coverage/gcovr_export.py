"""LCOV and HTML by way of gcovr, which reads the counts as one of its own JSON files.

gcovr knows lines and branches. Conditions and toggles become branches of their lines, so its totals are not
those of the table, which counts each kind by itself. Excluded points are excluded there too.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gcovr.data_model.version import FORMAT_VERSION

from refmodel.errors import Ga2Error
from sequences.document import read_text
from sequences.whole_file import write_bytes, write_json
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodeKind, CodePoint


def export(
    counts: Mapping[CodePoint, int],
    excluded: frozenset[CodePoint],
    root: Path,
    *,
    lcov: Path | None = None,
    html: Path | None = None,
) -> None:
    """Write an LCOV file, an HTML page with one more for each source beside it, or both.

    Sources are found from `root` on. Raises Ga2Error when gcovr fails, CodeCoverageError when a source is
    shorter than the counts know it, DocumentError when one is missing.
    """
    with TemporaryDirectory() as directory:
        tracefile = Path(directory) / "counts.json"
        write_json(tracefile, _tracefile(counts, excluded, root), indent=None)
        (made := Path(directory) / "made").mkdir()
        command = [sys.executable, "-m", "gcovr", "--root", str(root), "--json-add-tracefile", str(tracefile)]
        command += ["--lcov", str(lcov_made := Path(directory) / "lcov")] if lcov else []
        command += ["--html-details", str(made / html.name), "--html-title", "RTL of GA2"] if html else []
        done = subprocess.run(
            command, cwd=directory, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        if done.returncode != 0:
            raise Ga2Error(f"gcovr could not write it: {done.stderr.strip().rpartition(chr(10))[2]}")
        if lcov:
            write_bytes(lcov, lcov_made.read_bytes())
        if html:
            for page in sorted(made.iterdir()):
                write_bytes(html.parent / page.name, page.read_bytes())


def _tracefile(counts: Mapping[CodePoint, int], excluded: frozenset[CodePoint], root: Path) -> dict[str, Any]:
    files = sorted({point.file for point in counts})
    return {
        "gcovr/format_version": FORMAT_VERSION,
        "files": [
            {"file": file, "lines": _lines(file, counts, excluded, root), "functions": []} for file in files
        ],
    }


def _lines(
    file: str, counts: Mapping[CodePoint, int], excluded: frozenset[CodePoint], root: Path
) -> list[dict[str, Any]]:
    """Return every line with a point; one without statements counts by what is decided there."""
    text = read_text(root / file).splitlines()
    statements: dict[int, list[CodePoint]] = defaultdict(list)
    decisions: dict[int, list[CodePoint]] = defaultdict(list)
    for point in sorted(point for point in counts if point.file == file):
        if point.kind is not CodeKind.LINE:
            decisions[point.line].append(point)
        for line in point.lines:
            statements[line].append(point)
    last = max([*statements, *decisions])
    if last > len(text):
        raise CodeCoverageError(
            f"{file}: has {len(text)} lines, and the counts know its line {last}: they are of other RTL; "
            "collect them again"
        )
    return [
        {
            "line_number": line,
            "count": max(counts[point] for point in statements[line] or decisions[line]),
            "gcovr/excluded": excluded.issuperset(statements[line] or decisions[line]),
            "gcovr/md5": hashlib.md5(text[line - 1].encode(), usedforsecurity=False).hexdigest(),
            "branches": [
                {
                    "branchno": number,
                    "count": counts[point],
                    "fallthrough": False,
                    "throw": False,
                    "gcovr/excluded": point in excluded,
                }
                for number, point in enumerate(decisions[line])
            ],
        }
        for line in sorted({*statements, *decisions})
    ]
