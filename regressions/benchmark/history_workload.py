"""A history of a thousand nights that never ran, and the time of its slowest question."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from regressions.history.database import opened
from regressions.history.failures import failures_of
from regressions.history.job_history import failing_since, runs_of
from regressions.history.nights import latest_nights, statuses
from regressions.history.recording import record_nights
from regressions.history.trends import cycle_changes, trend
from verif.shell_line import command_line

NIGHTS = 1000
NIGHTLY_JOBS, WEEKLY_JOBS = 60, 450
"""About as many as the lists have; every seventh night is a weekly one."""

STANDING_JOBS = 8

QUESTIONS: dict[str, Callable[[sqlite3.Connection], object]] = {
    "nights": lambda asked: [statuses(asked, night) for night in latest_nights(asked, None, 20)],
    "failures": lambda asked: failures_of(asked, latest_nights(asked, "nightly", 1)[0]),
    "trends": lambda asked: trend(asked, latest_nights(asked, None, 20)),
    "trends of all nights": lambda asked: trend(asked, latest_nights(asked, None, NIGHTS)),
    "cycles of all nights": lambda asked: cycle_changes(asked, latest_nights(asked, None, NIGHTS)),
    "job": lambda asked: failing_since(runs_of(asked, "entry1-01")),
}


def slowest_question_seconds(directory: Path) -> float:
    """Return the seconds of the question that takes longest, on a history made new below a directory."""
    return max(question_seconds(_history(directory)).values())


@cache
def _history(directory: Path) -> Path:
    """Return the file of the history, which is made once."""
    path = directory / "history.sqlite"
    path.unlink(missing_ok=True)
    places = []
    for number in range(NIGHTS):
        place = directory / f"night-{number:04d}.json"
        place.write_text(json.dumps(_night(number)), encoding="utf-8")
        places.append(place)
    record_nights(path, places)
    for place in places:
        place.unlink()
    return path


def question_seconds(history: Path) -> dict[str, float]:
    """Return the seconds of every question, with those for opening the file."""
    seconds = {}
    for name, question in QUESTIONS.items():
        began = time.perf_counter()
        with opened(history) as connection:
            question(connection)
        seconds[name] = time.perf_counter() - began
    return seconds


def _night(number: int) -> dict[str, Any]:
    is_weekly = number % 7 == 6
    began = datetime(2027, 1, 1, 2, tzinfo=UTC) + timedelta(days=number)
    jobs = [_job(number, each) for each in range(WEEKLY_JOBS if is_weekly else NIGHTLY_JOBS)]
    failed = [job["name"] for job in jobs if job["status"] == "failed"]
    return {
        "format": "ga2-night-summary/1",
        "night": f"night-{number:04d}",
        "list": "weekly" if is_weekly else "nightly",
        "base_seed": 1 + number,
        "filtered": False,
        "began": began.isoformat(),
        "commit": f"{number:040x}",
        "chip": {},
        "tools": {"icarus": "11.0", "verilator": "5.48.0"},
        "good": False,
        "problems": [f"{len(failed)} failed"],
        "missing": [],
        "programs": 100 * len(jobs),
        "comparisons": 10_000 * len(jobs),
        "buckets": [
            _bucket("data", "q", failed),  # in every night: since the first
            _bucket("timing", f"t{number // 50}", failed[:1]),
            _bucket("data", f"once{number}", failed[:1]),
        ],
        "initial_states": {"dependent": []},
        "coverage": {"hit": 9000 + number % 100, "bins": 10_000},
        "cost": {"seconds": 600.0},
        "jobs": jobs,
    }


def _job(night: int, number: int) -> dict[str, Any]:
    is_standing = number < STANDING_JOBS
    return {
        "name": f"entry{number % 20}-{number:02d}",
        "entry": f"entry{number % 20}",
        "fingerprint": f"{number:016x}" if is_standing else f"{night:08x}{number:08x}",
        "test": "random_programs.RandomProgramTest",
        "simulator": "icarus" if number % 2 else "verilator",
        "build": "optimized",
        "seed": 1 + 1000 * night + number,
        "tags": ["standing"] if is_standing else ["random"],
        "status": "failed" if number % 20 == 19 else "passed",
        "reason": "",
        "programs": 100,
        "comparisons": 10_000,
        "cycles": 800_000 + night // 300,
        "seconds": 10.0,
        "simulation_cpu": 9.0 + number % 3,
        "machine": "a processor, 2 cores, 00000000",
    }


def _bucket(kind: str, role: str, jobs: list[str]) -> dict[str, Any]:
    return {
        "kind": kind,
        "unit": "matrix",
        "opcode": "MM",
        "role": role,
        "seed": 1,
        "job": jobs[0],
        "jobs": jobs,
        "explanation": "first divergence: wrong data",
        "shrunk": "",
        "reproduce": command_line("reproduce", "x"),
    }
