"""Small files of counts, in Verilator's words, and the source that they speak of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from verif.code_coverage.exclusions import Category, Exclusion, line_hash
from verif.code_coverage.point import CodeKind

SOURCE = """\
module m (input logic clk_i, output logic [1:0] q_o);
  always_ff @(posedge clk_i) if (q_o == 2'd2) q_o <= 2'd0;
  else q_o <= q_o + 2'd1;
endmodule
"""

POINTS = (
    ("line", 2, "block", "2"),
    ("branch", 2, "if", "2"),
    ("branch", 2, "else", "3"),
    ("expr", 2, "(q_o==2) => 1", ""),
    ("toggle", 1, "q_o[0]:0->1", ""),
    ("toggle", 1, "q_o[0]:1->0", ""),
    ("toggle", 1, "q_o[1]:0->1", ""),
    ("toggle", 1, "q_o[1]:1->0", ""),
    ("user", 2, "Zero_to_One", "2"),
)

REASON = "because this is a test"


def record(kind: str, line: int, what: str, lines: str, count: int, file: str = "m.sv") -> str:
    """Return one record as Verilator writes it."""
    fields = [("f", file), ("l", str(line)), ("n", "3"), ("t", kind), ("page", f"v_{kind}/m"), ("o", what)]
    fields += [("S", lines)] if lines else []
    fields += [("h", "top.m")]
    return "C '" + "".join(f"\x01{key}\x02{value}" for key, value in fields) + f"' {count}"


def counts_file(path: Path, *counts: int) -> Path:
    """Write a file with these counts for `POINTS`, 1 where there is none."""
    padded = [*counts, *(1 for _ in POINTS[len(counts) :])]
    records = [record(*point, count) for point, count in zip(POINTS, padded, strict=True)]
    return sealed(path, records)


def sealed(path: Path, records: list[str]) -> Path:
    """Write a file of records as it is kept."""
    seal = f"# ga2-code-coverage/1: {len(records)} records"
    path.write_text("\n".join(["# SystemC::Coverage-3", *records, seal]) + "\n", encoding="utf-8")
    return path


def source(directory: Path) -> Path:
    """Write the source that the points are about, and return its directory."""
    (directory / "m.sv").write_text(SOURCE, encoding="utf-8")
    return directory


def exclusion(**changes: Any) -> Exclusion:
    """Return an exclusion of the upper bit of `q_o`, but for these changes."""
    fields: dict[str, Any] = {
        "file": "m.sv",
        "line": 1,
        "hash": line_hash(SOURCE.splitlines()[0]),
        "kind": CodeKind.TOGGLE,
        "points": r"q_o\[1\]:.*",
        "category": Category.UNREACHABLE,
        "reason": REASON,
    }
    return Exclusion(**{**fields, **changes})
