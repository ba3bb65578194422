"""Nights that never ran and decodings that nobody computed, for the pages that show them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refmodel.machine.result import Counters
from regressions.closing.shape_costs import ShapeCost
from regressions.history.recording import record_nights
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.published.table import decoding_rows
from regressions.report.workloads import BlockCost, SweepCell, TableDecoding, Workloads
from regressions.study.anatomy import Pair
from regressions.study.sweep import KS, NOISES
from regressions.tests.coverage_databases import Bin, database, run
from sequences.verifier_block import every_shape
from verif.coverage.database_file import save_database
from verif.coverage.model import load_model

PLAIN_CYCLES, SPECULATIVE_CYCLES = 1000, 800

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc0000003"
    "010100c9fe92ef0000000049454e44ae426082"
)
"""A PNG of one pixel."""


def made_workloads() -> Workloads:
    """Return results as the model might have them: cycles that no model computes."""
    table = []
    for row in decoding_rows():
        cycles = PLAIN_CYCLES if row.plain else SPECULATIVE_CYCLES
        counters = Counters(cycles, cycles // 2, cycles // 4, cycles // 8, 10)
        accepted = (0, 0) if row.plain else (20, 24)
        scales, request = row.request.scales, row.request
        table.append(
            TableDecoding(scales, row.name, row.plain, request, 32, *accepted, counters, PLAIN_CYCLES)
        )
    cells = [
        SweepCell(
            scales,
            noise,
            k,
            acceptance=1 / (1 + noise),
            speedup=2.0 - 0.2 * noise + 0.1 * k,
            cycles_a_token=5000.0,
            equal=(scales, noise, k) != ("shape", 6.0, 5),
            predicted=2.0 if scales == "shape" else None,
            by_tokens=1.9 if scales == "shape" else None,
        )
        for scales in ("shape", "model")
        for noise in NOISES
        for k in KS
    ]
    return Workloads(
        tuple(table),
        tuple(cells),
        tuple(BlockCost(k, 10_000 * k, 11_000 * k, 1.1 * k) for k in KS),
        plain_step=8090,
        draft_step=810,
        mean_error=0.144,
        mean_error_by_tokens=0.044,
        anatomy={"cycles by unit": {"matrix unit": Pair(700, 1500), "softmax": Pair(20, 0)}},
        shapes=tuple(ShapeCost(c, m, 100 * (c + m), 300 * m) for c, m in every_shape()),
        published=99,
        reproduced=99,
        unequal=0,
    )


def failing_night(directory: Path, **more: Any) -> Path:
    """Write a night with two buckets, one of them with a picture, and some coverage; return its directory."""
    jobs = [
        made_job("good-000-icarus", seconds=30.0, tags=["fast"]),
        made_job("good-001-verilator", simulator="verilator", seconds=1234.5, cycles=9_000_000),
        made_job("bad-000-icarus", "failed", bucket=("data", "q"), seed=7, reason="word 3 <b>differs</b>"),
        made_job("bad-001-icarus", "failed", bucket=("data", "q"), seed=8),
        made_job("lost-000-icarus", "killed", bucket=("killed", "it was killed")),
        made_job("later-000-icarus", None),
    ]
    night = made_night("nightly-20270103T020000-made", 3, jobs, missing=["later-000-icarus"], **more)
    night["statuses"].pop("None")
    night["problems"] = [
        "2 failed",
        "1 killed",
        "1 without a result, later-000-icarus first; --resume runs them",
    ]
    folder = "out/nightly/nightly-20270103T020000-made/failures/icarus-bad-1"
    night["buckets"][0] |= {"folder": folder, "shrunk": "shrunk to 1 instruction: RQ 0 0 1 1 1 0"}
    path = write_night(directory, night)
    (path / "failures/icarus-bad-1").mkdir(parents=True)
    (path / "failures/icarus-bad-1/window.png").write_bytes(PICTURE)
    write_coverage(path, [("fused_relu", "a fused relu"), ("start_honoured", "idle")])
    return path


def recorded_night(directory: Path) -> Path:
    """Write that night and one before it, and put both into `history.sqlite`; return its directory."""
    before = made_night(
        "nightly-20270102T020000-made",
        2,
        [
            made_job("good-000-icarus"),
            made_job("bad-001-icarus", "failed", bucket=("data", "q")),
            made_job("gone-000-icarus", "failed", bucket=("hang", "")),
        ],
    )
    failing = failing_night(directory / "nights")
    record_nights(directory / "history.sqlite", [write_night(directory / "nights", before), failing])
    return failing


def write_coverage(night: Path, bins: list[Bin]) -> None:
    """Let a night have hit these bins."""
    save_database(night / "coverage" / "x.json", database({run("t"): bins}), load_model())


def edited(night: Path, **fields: Any) -> Path:
    """Change fields of a night's summary."""
    path = night / "summary.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields), encoding="utf-8")
    return night
