"""Bugs planted in copies of the RTL: each is one bucket, however many jobs it fails; X does not hide."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from regressions.exit_status import ExitStatus
from regressions.nightly.night import begin_night, plan_now
from regressions.nightly.selection import jobs_of
from regressions.nightly.session import build_for, run_session
from regressions.nightly.test_list import ListedTest
from regressions.nightly.tests.planted import CLEARING, ROUNDING, TIES, plant


@pytest.fixture
def _planted(rtl_directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulations of this process and of its workers run on RTL with all three."""
    plant((ROUNDING, TIES, CLEARING), rtl_directory, monkeypatch)


def listed(name: str, program: str, **fields: Any) -> ListedTest:
    parameters = {"programs": [program], "seed": "$seed"}
    common = {"test": "named_programs.NamedProgramsTest", "timeout": 300.0, "parameters": parameters}
    return ListedTest(**{"name": name, **common, **fields})


LISTED = [
    listed("rounding", "requantizer/one", reseed=20, reason="one bug, many seeds"),
    listed("ties", "vectors/amax-tie-first-apart"),
    listed("clearing", "golden/matmul-plain", build="x-random", initial_states=2),
]


@pytest.mark.slow
@pytest.mark.usefixtures("_planted")
def test_a_bug_is_one_bucket_on_both_simulators_and_two_bugs_are_two(tmp_path: Path) -> None:
    jobs, console = tuple(jobs_of(LISTED, 3)), Console(width=200)
    build_for(jobs, console)
    night = begin_night(plan_now("planted", 3, jobs), tmp_path)
    status = run_session(night, 2, tmp_path / "failed.json", tmp_path / "history.sqlite", console)
    assert status is ExitStatus.MISMATCH
    summary = json.loads((night.directory / "summary.json").read_text(encoding="utf-8"))
    assert summary["statuses"] == {
        **dict.fromkeys(("passed", "timeout", "crashed", "flaky", "killed", "skipped"), 0),
        "failed": 45,
    }
    buckets = {each["opcode"]: each for each in summary["buckets"]}
    rounding, ties = buckets["RQ"], buckets["AMAX"]
    assert [each["opcode"] for each in summary["buckets"]].count("RQ") == 1
    assert (rounding["count"], ties["count"]) == (40, 2)
    for bucket in (rounding, ties):
        assert (bucket["kind"], bucket["unit"]) == ("data", "vector")
        assert bucket["simulators"] == ["icarus", "verilator"]
        assert bucket["shrunk"].startswith("shrunk to 1 instruction")
        assert Path(bucket["picture"]).stat().st_size > 1000
        assert " -m regressions reproduce " in bucket["reproduce"]
    assert rounding["seed"] == min(job.seed for job in night.plan.jobs if job.entry == "rounding")
    (dependent,) = summary["initial_states"]["dependent"]
    assert dependent["stimulus"] == "clearing-000"
    assert dependent["jobs"] == [
        "clearing-000-icarus",
        "clearing-000-verilator-x0",
        "clearing-000-verilator-x1",
    ]
    assert "depending on initial states: 1 stimuli" in summary["problems"]
