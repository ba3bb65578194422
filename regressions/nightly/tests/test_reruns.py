"""Jobs that have not passed are run again: flaky ones, those that keep failing, and a closer look."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressions.exit_status import ExitStatus
from regressions.nightly.attempt import RERUNS, Assignment, carry_out, run_again
from regressions.nightly.job import NightJob
from regressions.nightly.night import Night
from regressions.nightly.reruns import OF_A_BUCKET, OF_A_NIGHT
from regressions.nightly.result import JobResult, Status
from regressions.nightly.tests.fakes import job, simulate
from regressions.nightly.tests.nights import attempts, begun, run, shown, summary, without_circumstances


@pytest.mark.parametrize("times", [1, 3])
def test_a_failure_that_passes_when_it_runs_again_is_flaky(times: int, tmp_path: Path) -> None:
    night = begun(tmp_path, [job("a-0", "fail", times=times, kind="data"), job("b-0")])
    assert run(night, tmp_path) is ExitStatus.MISMATCH
    document = summary(night)
    assert {status: number for status, number in document["statuses"].items() if number} == {
        "passed": 1,
        "flaky": 1,
    }
    assert document["problems"] == ["1 flaky"]
    flaky = document["jobs"][0]
    assert (flaky["reruns"], flaky["attempt"]) == (times, 1)
    assert flaky["reason"] == f"failed (word 3), but it passed in attempt {times + 1}"
    assert attempts(night, "a-0") == [str(number) for number in range(1, times + 2)]
    assert document["buckets"][0]["jobs"] == ["a-0"]
    assert run(night, tmp_path) is ExitStatus.MISMATCH, "it stays what it is"
    assert len(attempts(night, "a-0")) == times + 1


def test_a_job_that_keeps_failing_runs_three_times_more_and_no_oftener(tmp_path: Path) -> None:
    jobs = [job("a-0", "timeout"), job("b-0", "killed"), job("c-0"), job("d-0", "fail", kind="data")]
    night = begun(tmp_path, jobs)
    for _ in range(2):
        run(night, tmp_path)
        reruns = {each["name"]: (each["status"], each["reruns"]) for each in summary(night)["jobs"]}
        assert reruns == {
            "a-0": ("timeout", 3),
            "b-0": ("killed", 0),
            "c-0": ("passed", 0),
            "d-0": ("failed", 3),
        }
    assert attempts(night, "a-0") == ["1", "2", "3", "4"]
    assert attempts(night, "d-0") == ["1", "2", "3", "4", "5"], "and the closer look"


def test_what_a_flaky_job_covers_does_not_count(tmp_path: Path) -> None:
    def covering(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        result = simulate(job, directory, night, deeply)
        if result.status is Status.PASSED:
            (night / "coverage" / job.name).touch()
            (night / "code-coverage" / job.name).touch()
        return result

    night = begun(tmp_path, [job("a-0", "fail", times=1), job("b-0")])
    for each in night.plan.jobs:
        carry_out(Assignment(each, night.directory, covering, night.plan.sources))
    assert (
        run_again(Assignment(night.plan.jobs[0], night.directory, covering, night.plan.sources)).status
        is Status.FLAKY
    )
    for part in ("coverage", "code-coverage"):
        assert [path.name for path in (night.directory / part).iterdir()] == ["b-0"]


def reruns(night: Night) -> dict[str, tuple[str, int]]:
    return {each["name"]: (each["status"], each["reruns"]) for each in summary(night)["jobs"]}


def test_of_a_bucket_only_the_first_jobs_run_again_and_the_others_say_so(tmp_path: Path) -> None:
    jobs = [job(f"a-{seed}", "fail", seed=seed, kind="data") for seed in range(8, 0, -1)]
    jobs[6] = job("a-2", "fail", seed=2, kind="data", times=1)
    night = begun(tmp_path, [*jobs, job("b-0", "crashed", seed=99), job("c-0")])
    lines = shown(night, tmp_path)
    told = {f"a-{seed}": ("failed", RERUNS if seed <= OF_A_BUCKET else 0) for seed in range(1, 9)}
    assert reruns(night) == {**told, "a-2": ("flaky", 1), "b-0": ("crashed", 3), "c-0": ("passed", 0)}
    document = summary(night)
    assert document["not_run_again"] == 3
    assert document["problems"] == ["7 failed", "1 crashed", "1 flaky"]
    reasons = {each["name"]: each["reason"] for each in document["jobs"]}
    assert reasons["a-1"] == "word 3"
    assert reasons["a-2"] == "failed (word 3), but it passed in attempt 2"
    assert reasons["a-6"] == reasons["a-8"] == "word 3; not run again"
    first, second = document["buckets"]
    assert (first["count"], first["flaky"], first["not_run_again"]) == (8, 1, 3)
    assert (second["count"], second["flaky"], second["not_run_again"]) == (1, 0, 0)
    assert "    of these 1 flaky, 3 not run again" in lines
    (line,) = (line for line in lines if line.startswith("3 jobs that have not passed were not run again: "))
    assert line.endswith("at most 5 of a bucket are, and 20 of a night")
    assert "word 3; not run again; see it again: " in (night.directory / "junit.xml").read_text()
    before = {each.name: attempts(night, each.name) for each in jobs}
    run(night, tmp_path)
    assert {each.name: attempts(night, each.name) for each in jobs} == before, "it stays what it is"


def test_of_a_night_only_so_many_run_again_the_first_of_each_bucket_before_others(tmp_path: Path) -> None:
    kinds = [f"kind{number:02d}" for number in range(OF_A_NIGHT - 2)]
    jobs = [job(f"{kind}-{seed}", "fail", seed=seed, kind=kind) for kind in kinds for seed in (1, 2)]
    night = begun(tmp_path, jobs)
    run(night, tmp_path)
    again = [name for name, (_, times) in reruns(night).items() if times]
    assert sorted(again) == sorted([*(f"{kind}-1" for kind in kinds), "kind00-2", "kind01-2"])
    assert summary(night)["not_run_again"] == len(jobs) - OF_A_NIGHT


def test_more_buckets_than_may_run_again(tmp_path: Path) -> None:
    jobs = [job(f"a-{number}", "fail", kind=f"kind{number:02d}") for number in range(OF_A_NIGHT + 7)]
    night = begun(tmp_path, jobs)
    run(night, tmp_path)
    assert [times for _, times in reruns(night).values()] == [RERUNS] * OF_A_NIGHT + [0] * 7


def test_a_night_that_is_interrupted_in_its_reruns_goes_on_with_the_same(tmp_path: Path) -> None:
    jobs = [job(f"a-{seed}", "crashed", seed=seed) for seed in range(2, 9)]
    jobs.append(job("a-1", "crashed", seed=1, times=1))
    again: list[str] = []

    def interrupted(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        if directory.name != "1":
            again.append(job.name)
            if len(again) == 4:
                raise KeyboardInterrupt
        return simulate(job, directory, night, deeply)

    night, other = begun(tmp_path, jobs), begun(tmp_path, jobs)
    with pytest.raises(KeyboardInterrupt):
        run(night, tmp_path, simulate=interrupted)
    assert again == ["a-1", "a-2", "a-2", "a-2"]
    assert (summary(night)["not_run_again"], reruns(night)["a-2"]) == (6, ("crashed", 2))
    run(night, tmp_path)
    assert attempts(night, "a-2") == ["1", "2", "3", "4", "5"], "what was cut, once more, and no other"
    run(other, tmp_path)
    assert without_circumstances(night) == without_circumstances(other)
    assert reruns(night)["a-1"] == ("flaky", 1)
    assert [bucket["count"] for bucket in summary(night)["buckets"]] == [8], "flaky or not, it crashed"


def test_a_rerun_that_the_bench_cannot_run_is_told(tmp_path: Path) -> None:
    def failing(job: NightJob, directory: Path, night: Path, deeply: bool) -> JobResult:
        if directory.name != "1":
            raise RuntimeError("a mistake")
        return simulate(job, directory, night, deeply)

    night = begun(tmp_path, [job("a-0", "timeout")])
    lines = shown(night, tmp_path, failing)
    told = "a-0 could not be run again: the bench failed: RuntimeError: a mistake"
    assert summary(night)["warnings"] == [told]
    assert f"warning: {told}" in lines
    assert reruns(night) == {"a-0": ("timeout", 0)}
