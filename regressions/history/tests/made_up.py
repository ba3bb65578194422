"""Nights that never ran, as their summaries would tell them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verif.shell_line import command_line

REVISION = "0123456789abcdef0123456789abcdef01234567"


def made_job(name: str, status: str | None = "passed", **more: Any) -> dict[str, Any]:
    """Return a job; `bucket`, kind and role, is what it failed with."""
    return {
        "name": name,
        "entry": name.partition("-")[0],
        "fingerprint": f"does-{name}",
        "test": "directed.DirectedTest",
        "simulator": "icarus",
        "build": "optimized",
        "seed": 1,
        "tags": [],
        "status": status,
        "reason": "" if status == "passed" else "word 3",
        "programs": 10,
        "comparisons": 100,
        "cycles": 1000,
        "seconds": 2.0,
        "simulation_cpu": 1.0,
        "machine": "here",
        **more,
    }


def made_night(name: str, day: int, jobs: Sequence[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a night of January 2027."""
    buckets: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for job in jobs:
        if "bucket" in job:
            buckets.setdefault(job["bucket"], []).append(job)
    failed = [job for job in jobs if job["status"] != "passed"]
    return {
        "format": "ga2-night-summary/1",
        "night": name,
        "list": "nightly",
        "base_seed": 77,
        "filtered": False,
        "began": f"2027-01-{day:02d}T02:00:00+01:00",
        "commit": f"{day:02d}{REVISION[2:]}",
        "chip": {},
        "tools": {"icarus": "11.0", "verilator": "5.48.0"},
        "good": not failed,
        "problems": [f"{len(failed)} failed"] if failed else [],
        "missing": [],
        "programs": sum(job["programs"] for job in jobs),
        "comparisons": sum(job["comparisons"] for job in jobs),
        "buckets": [_bucket(kind, role, each) for (kind, role), each in buckets.items()],
        "initial_states": {"compared": 0, "dependent": []},
        "coverage": {"hit": 900, "bins": 1000},
        "statuses": Counter(str(job["status"]) for job in jobs),
        "unmapped": [],
        "drifts": [],
        "warnings": [],
        "cost": {
            "seconds": 100.0,
            "cpu": 180.0,
            "simulation_cpu": 170.0,
            "bench_cpu": 5.0,
            "cores": 2,
            "busy": 0.9,
            "overhead": 0.0278,
        },
        "jobs": [{key: value for key, value in job.items() if key != "bucket"} for job in jobs],
        **more,
    }


def write_night(directory: Path, night: dict[str, Any]) -> Path:
    """Write a night's summary below a directory and return the night's own."""
    path = directory / str(night["night"])
    path.mkdir(parents=True, exist_ok=True)
    (path / "summary.json").write_text(json.dumps(night), encoding="utf-8")
    return path


def _bucket(kind: str, role: str, jobs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "kind": kind,
        "unit": "matrix",
        "opcode": "MM",
        "role": role,
        "count": len(jobs),
        "simulators": sorted({job["simulator"] for job in jobs}),
        "seed": 1,
        "job": jobs[0]["name"],
        "jobs": [job["name"] for job in jobs],
        "explanation": f"first divergence: {role} is wrong",
        "shrunk": "",
        "folder": None,
        "picture": None,
        "reproduce": command_line("reproduce", "x"),
    }
