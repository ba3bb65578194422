"""A night's files for others: summary.json and junit.xml (docs/nightly.md describes both)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from regressions.failure_lines import shown_path
from regressions.junit_report import Case, write_junit
from regressions.nightly.buckets import Bucket
from regressions.nightly.cost import NightCost
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.outcome import Outcome
from regressions.nightly.result import JobResult, Status
from regressions.nightly.verdict import Verdict
from sequences.whole_file import write_json
from verif.failure.provenance import tool_versions
from verif.shell_line import command_line
from verif.simulation.sim_make import rtl_settings
from verif.waves.leaving import PICTURE

SUMMARY, JUNIT = "summary.json", "junit.xml"
FORMAT = "ga2-night-summary/1"


def write_reports(night: Night, outcome: Outcome, cost: NightCost, coverage: dict[str, int]) -> None:
    """Write both. Raises Ga2Error when they cannot be written."""
    write_json(night.directory / SUMMARY, summary_of(night, outcome, cost, coverage))
    write_junit(night.directory / JUNIT, _cases(night, outcome))


def reproduction(night: Night, result: JobResult) -> str:
    """Return the one command that shows a failure again."""
    if result.failure is not None:
        return command_line("reproduce", Path(result.failure.folder))
    return rerun_command(night, result.job.name)


def rerun_command(night: Night, name: str) -> str:
    """Return the command that runs jobs of the night again, those with `name` in their name."""
    plan = night.plan
    options = [*list_words(plan.list), "--seed", plan.base_seed, "--only", name]
    if plan.failed_seeds:
        options += ["--failed-seeds", Path(plan.failed_seeds)]
    return command_line(*options, settings=rtl_settings())


def list_words(name: str) -> list[object]:
    """Return the words of the command that runs a list, given by its name or its file."""
    return ["nightly", Path(name) if name.endswith(".toml") else name]


def picture_of(bucket: Bucket) -> str | None:
    """Return the picture of a bucket's first divergence, if it left one."""
    failure = bucket.first.failure
    picture = None if failure is None else Path(failure.folder) / PICTURE
    return None if picture is None or not picture.is_file() else str(shown_path(picture))


def verdict_of(night: Night, problems: Sequence[str]) -> Verdict:
    """Return the verdict of a night that has these problems."""
    return Verdict(not problems, len(night.plan.jobs), night.plan.listed, night.plan.part)


def summary_of(night: Night, outcome: Outcome, cost: NightCost, coverage: dict[str, int]) -> dict[str, Any]:
    """Return the content of summary.json."""
    plan = night.plan
    problems = list(outcome.problems())
    return {
        "format": FORMAT,
        "night": night.directory.name,
        "list": plan.list,
        "base_seed": plan.base_seed,
        "filtered": plan.filtered,
        "part": plan.part,
        "listed": plan.listed,
        "began": plan.began,
        "commit": plan.commit,
        "chip": dict(plan.chip),
        "tools": {**tool_versions("icarus"), **tool_versions("verilator")},
        "good": not problems,
        "verdict": str(verdict_of(night, problems)),
        "problems": problems,
        "statuses": {status.value: outcome.statuses[status] for status in Status},
        "missing": list(outcome.missing),
        "not_run_again": outcome.not_run_again,
        "unmapped": list(outcome.unmapped),
        "drifts": list(outcome.drifts),
        "warnings": list(outcome.warnings),
        "programs": outcome.programs,
        "comparisons": outcome.comparisons,
        "buckets": [_bucket(night, bucket) for bucket in outcome.buckets],
        "initial_states": {
            "compared": outcome.sweep.compared,
            "dependent": [
                {
                    "stimulus": each.stimulus,
                    "jobs": [result.job.name for result in each.results],
                    "sentence": str(each),
                    "reproduce": rerun_command(night, each.stimulus),
                }
                for each in outcome.sweep.dependent
            ],
            "not_compared": [
                {"stimulus": each.stimulus, "reason": each.reason} for each in outcome.sweep.not_compared
            ],
        },
        "coverage": coverage,
        "cost": cost.to_json(),
        "jobs": [_job(job, result) for job, result in night.results()],
    }


def _bucket(night: Night, bucket: Bucket) -> dict[str, Any]:
    first, failure = bucket.first, bucket.first.failure
    return {
        **vars(bucket.signature),
        "count": len(bucket.results),
        "simulators": bucket.simulators,
        "seed": first.job.seed,
        "job": first.job.name,
        "jobs": [result.job.name for result in bucket.results],
        "flaky": bucket.flaky,
        "not_run_again": bucket.not_run_again,
        "explanation": failure.explanation if failure else first.reason,
        "shrunk": failure.shrunk if failure else "",
        "folder": str(shown_path(Path(failure.folder))) if failure else None,
        "picture": picture_of(bucket),
        "reproduce": reproduction(night, first),
    }


def _job(job: NightJob, result: JobResult | None) -> dict[str, Any]:
    known = {
        "name": job.name,
        "entry": job.entry,
        "fingerprint": job.fingerprint,
        "test": job.test,
        "simulator": job.simulator,
        "build": job.build,
        "seed": job.seed,
        "tags": list(job.tags),
    }
    if result is None:
        return {**known, "status": None}
    return {
        **known,
        "status": result.status.value,
        "reason": result.told,
        "programs": result.programs,
        "comparisons": result.comparisons,
        "cycles": result.cycles,
        "seconds": round(result.cost.seconds, 3),
        "simulation_cpu": round(result.cost.simulation_cpu, 3),
        "memory": result.cost.memory,
        "machine": result.cost.machine,
        "attempt": result.attempt,
        "reruns": result.reruns,
    }


def _cases(night: Night, outcome: Outcome) -> Iterator[Case]:
    for job, result in night.results():
        suite = f"{job.entry} on {job.simulator}"
        if result is None:
            yield Case(suite, job.name, 0.0, error="it has no result")
            continue
        told = f"{result.told}; see it again: {reproduction(night, result)}"
        failed = result.status is Status.FAILED
        skipped = result.reason if result.status is Status.SKIPPED else ""
        good = result.status in (Status.PASSED, Status.SKIPPED)
        yield Case(
            suite,
            job.name,
            result.cost.seconds,
            failures=(told,) if failed else (),
            error="" if good or failed else f"{result.status}: {told}",
            skipped=skipped,
        )
    beside = (*outcome.problems_beside_jobs(), *map(str, outcome.sweep.dependent), *outcome.drifts)
    yield Case("the night as a whole", "verdict", 0.0, failures=beside)
