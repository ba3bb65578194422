"""A night as a whole: what ran, what it found, and whether that is good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from regressions.nightly.buckets import Bucket, sort_into_buckets
from regressions.nightly.initial_states import Sweep, compare_initial_states
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.result import JobResult, Status
from regressions.testplan.plan import Plan, covers


@dataclass(frozen=True)
class Outcome:
    """Everything that a report needs beside the single results."""

    statuses: Counter[Status]
    missing: Sequence[str]
    """Jobs without a result."""
    programs: int
    comparisons: int
    buckets: Sequence[Bucket]
    sweep: Sweep
    unmapped: Sequence[str] = field(default=())
    """Tests that belong to no feature of the test plan."""
    damaged: Sequence[str] = field(default=())
    """What is wrong with files in the places of results, a sentence each; their jobs are missing."""
    not_run_again: int = 0
    """Jobs that have not passed, and nobody tried whether they would."""
    mixed: Sequence[str] = field(default=())
    """Simulators with results of more than one build: the RTL changed before the night was resumed."""
    changed: str = ""
    """That sources changed during this call, and which, in a sentence; the jobs left have no result then."""
    drifts: Sequence[str] = field(default=())
    """Standing workloads whose cycles are not what they were, a sentence each."""
    warnings: Sequence[str] = field(default=())
    """What does not make the night worse, but should be looked at."""

    def problems(self) -> Iterator[str]:
        """Yield why the night is not good, a line each; nothing if it is."""
        for status in (Status.FAILED, Status.TIMEOUT, Status.CRASHED, Status.FLAKY, Status.KILLED):
            if self.statuses[status]:
                yield f"{self.statuses[status]} {status}"
        if self.missing:
            yield f"{len(self.missing)} without a result, {self.missing[0]} first; --resume runs them"
        if self.damaged:
            yield f"{len(self.damaged)} damaged results, {self.damaged[0]}"
        yield from self.problems_beside_jobs()

    def problems_beside_jobs(self) -> Iterator[str]:
        """Yield those of the problems that no single job has."""
        if not self.sweep.compared and any(not each.intended for each in self.sweep.not_compared):
            yield "no initial states were compared"
        if self.sweep.dependent:
            yield f"depending on initial states: {len(self.sweep.dependent)} stimuli"
        if self.drifts:
            yield f"{len(self.drifts)} drifted in their cycles"
        if not self.comparisons:
            yield "nothing was compared"
        if self.changed:
            yield self.changed
        for simulator in self.mixed:
            yield f"{simulator} ran on more than one RTL, for that changed meanwhile; begin another night"
        if self.unmapped:
            yield f"{', '.join(self.unmapped)}: in no feature of the test plan; add them to one in plan.toml"


def outcome_of(night: Night, plan: Plan) -> Outcome:
    """Judge a night by the results that it has, in one run or in several."""
    statuses: Counter[Status] = Counter()
    missing: list[str] = []
    damaged: list[str] = []
    kept: list[JobResult] = []
    sweep: list[tuple[NightJob, JobResult | None]] = []
    not_run_again = 0
    builds: dict[tuple[str, str], set[str]] = {}
    programs = comparisons = 0
    for job, result in night.results():
        if job.build == "x-random":
            sweep.append((job, result))
        if result is None:
            missing.append(job.name)
            damaged += filter(None, [night.damage(job)])
            continue
        statuses[result.status] += 1
        not_run_again += result.was_not_run_again
        programs += result.programs
        comparisons += result.comparisons
        if result.build:
            kind = "optimized" if job.build == "x-random" else job.build  # it is the same binary
            builds.setdefault((job.simulator, kind), set()).add(result.build)
        if result.status is not Status.PASSED:
            kept.append(result)
    return Outcome(
        statuses,
        missing,
        programs,
        comparisons,
        sort_into_buckets(kept),
        compare_initial_states(sweep),
        _unmapped(night, plan),
        damaged,
        not_run_again,
        sorted({simulator for (simulator, _), found in builds.items() if len(found) > 1}),
    )


def _unmapped(night: Night, plan: Plan) -> list[str]:
    patterns = [pattern for feature in plan.features for pattern in feature.tests]
    tests = sorted({job.test for job in night.plan.jobs})
    return [test for test in tests if not any(covers(pattern, _in_plan(test)) for pattern in patterns)]


def _in_plan(test: str) -> str:
    module, _, name = test.rpartition(".")
    return f"verif/uvm_tests/{module}.py::{name}"
