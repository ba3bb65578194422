"""The decodings of the report: kept while nothing changes that decides them, and proven by a night's jobs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refmodel.published import figures
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.nightly.list_file import find_list, load_list
from regressions.nightly.selection import jobs_of, selected
from regressions.report import workload_cache
from regressions.report.proof import Proof, proof_of
from regressions.report.summary import ReportedNight, read_reported
from regressions.report.tests.made_site import PLAIN_CYCLES, SPECULATIVE_CYCLES, made_workloads
from regressions.report.workload_cache import SOURCES, digest, workloads
from regressions.report.workloads import run_workloads
from verif.simulation.plain_path import REPOSITORY


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows each time the model would run."""
    counted: list[int] = []

    def run() -> Any:
        counted.append(1)
        return made_workloads()

    monkeypatch.setattr(workload_cache, "run_workloads", run)
    return counted


def test_the_model_runs_once_for_the_same_sources(tmp_path: Path, runs: list[int]) -> None:
    cache = tmp_path / "cache"
    assert workloads(cache) == workloads(cache) == made_workloads()
    assert len(runs) == 1
    (kept,) = cache.iterdir()
    kept.write_text(kept.read_text()[:1000], encoding="utf-8")
    assert workloads(cache) == made_workloads()
    assert len(runs) == 2, "a damaged one is made again"


def test_other_sources_are_another_result(
    tmp_path: Path, runs: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    workloads(tmp_path)
    monkeypatch.setattr(workload_cache, "digest", lambda: "other")
    workloads(tmp_path)
    assert len(runs) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["workloads-other.json"], "the older one is gone"


def test_a_cache_that_cannot_be_written_costs_time_alone(tmp_path: Path, runs: list[int]) -> None:
    (tmp_path / "file").touch()
    assert workloads(tmp_path / "file/cache") == made_workloads()
    assert len(runs) == 1


def test_the_digest_changes_with_each_kind_of_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in SOURCES:
        place, copy = REPOSITORY / source, tmp_path / source
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(place, copy) if place.is_dir() else shutil.copy(place, copy)
    seen = {digest(), digest(tmp_path)}
    assert len(seen) == 1, "where they lie is no matter"
    changed = [
        *("refmodel/isa/timing.py", "refmodel/published/figures.json", "sequences/decode_request.py"),
        *("regressions/study/sweep.py", "regressions/report/workloads.py", "verif/loop_outcome.py"),
    ]
    for number, name in enumerate(changed, 2):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(" ")
        seen.add(digest(tmp_path))
        assert len(seen) == number, name
    (tmp_path / "refmodel/isa/tests/test_faults.py").write_text("", encoding="utf-8")
    assert digest(tmp_path) in seen
    monkeypatch.setattr(workload_cache, "version", lambda _: "3.0")
    assert digest(tmp_path) not in seen


def test_everything_that_the_decodings_import_is_in_the_digest() -> None:
    program = """
import sys
import regressions.report.workloads
for name, module in sys.modules.items():
    if name.split(".")[0] in ("refmodel", "sequences", "regressions"):
        print(module.__file__)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    paths = {str(Path(line).relative_to(REPOSITORY)) for line in done.stdout.splitlines()}
    assert len(paths) > 50
    # names, errors, and what runs decodings on the RTL, which these do not
    no_matter = {"choices", "rtl", "soundness"}
    left = {
        path
        for path in paths
        if not path.startswith(SOURCES) and Path(path).stem not in ("__init__", *no_matter)
    }
    assert left == set()


@pytest.mark.slow
def test_the_model_reproduces_what_is_published() -> None:
    found = run_workloads()
    assert found.published == found.reproduced == 99
    assert found.unequal == 0
    published = {
        (entry["target"], entry["mode"], entry.get("k"), entry.get("noise")): entry["cycles"]
        for entry in figures()["runs"]
    }
    shape = [each for each in found.table if each.scales == "shape"]
    assert sorted(each.counters.cyc_total for each in shape) == sorted(published.values())
    assert all(sum(each.units.values()) == each.counters.cyc_total for each in found.table)
    assert len(found.sweep) == 50
    assert len(found.shapes) == 484


def standing_night(directory: Path, **changes: int) -> ReportedNight:
    """Return a night that ran list nightly's standing workloads, in the cycles of the made-up decodings."""
    jobs = selected(jobs_of(load_list(find_list("nightly")).test, 7), tag="standing")
    made = []
    for each in jobs:
        speculative = sum(decoding["speculative"] for decoding in each.parameters["decodings"])
        cycles = changes.get(each.simulator, PLAIN_CYCLES + speculative * SPECULATIVE_CYCLES)
        fields = {"simulator": each.simulator, "tags": ["standing"], "cycles": cycles}
        made.append(made_job(each.name, **fields))
    path = write_night(directory, made_night("n", 1, made))
    night = read_reported(path)
    (path / "night.json").write_bytes(_plan(jobs))
    return night


def _plan(jobs: Any) -> bytes:
    from pydantic import TypeAdapter

    from regressions.nightly.night import NightPlan, plan_now

    return TypeAdapter(NightPlan).dump_json(plan_now("nightly", 7, tuple(jobs)))


def test_standing_workloads_prove_the_cycles_that_they_took(tmp_path: Path) -> None:
    table = made_workloads().table
    proof = proof_of(standing_night(tmp_path), table)
    assert proof.by_simulator == {"icarus": (4, 4), "verilator": (4, 4)}
    assert proof.good
    assert all(each.expected == each.job.cycles for each in proof.jobs)
    moved = proof_of(standing_night(tmp_path / "other", verilator=1), table)
    assert moved.by_simulator == {"icarus": (4, 4), "verilator": (0, 4)}
    assert not moved.good


def test_a_job_that_failed_or_was_never_planned_proves_nothing(tmp_path: Path) -> None:
    table = made_workloads().table
    (first, *_) = proof_of(standing_night(tmp_path), table).jobs
    assert not replace(first, job=first.job.model_copy(update={"status": "failed"})).proves
    unplanned = read_reported(
        write_night(tmp_path / "x", made_night("n", 1, [made_job("t", tags=["standing"])]))
    )
    (alone,) = proof_of(unplanned, table).jobs
    assert alone.expected is None
    assert Proof([]).by_simulator == {}


def test_decodings_of_another_kind_have_no_cycles_to_be_held_against(tmp_path: Path) -> None:
    night = standing_night(tmp_path)
    plan = night.directory / "night.json"
    plan.write_text(plan.read_text(encoding="utf-8").replace('"tokens":32', '"tokens":31'), encoding="utf-8")
    assert {each.expected for each in proof_of(night, made_workloads().table).jobs} == {None}
