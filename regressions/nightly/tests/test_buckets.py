"""By what failures are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from regressions.nightly.buckets import sort_into_buckets
from regressions.nightly.result import Failure, JobResult, Status
from regressions.nightly.signature import failure_in
from regressions.nightly.tests.fakes import job
from verif.run_report import RunReport


def failed(name: str, seed: int = 1, simulator: str = "icarus", **told: Any) -> JobResult:
    first = {"kind": "data", "unit": "matrix", "opcode": "MM", "role": "q", **told}
    return JobResult(
        job(name, seed=seed, simulator=simulator), Status.FAILED, failure=Failure("f", "e", **first)
    )


def test_one_bug_is_one_bucket() -> None:
    results = [
        failed(f"a-{seed}-{simulator}", seed, simulator)
        for seed in range(20, 0, -1)
        for simulator in ("icarus", "verilator")
    ]
    (bucket,) = sort_into_buckets(results)
    assert len(bucket.results) == 40
    assert bucket.first.job.name == "a-1-icarus"
    assert bucket.simulators == ["icarus", "verilator"]
    assert str(bucket.signature) == "data, matrix, MM, q"


@pytest.mark.parametrize("other", [{"kind": "timing"}, {"unit": "vector"}, {"opcode": "RQ"}, {"role": "k"}])
def test_whatever_differs_makes_another_bucket(other: dict[str, Any]) -> None:
    first, second = sort_into_buckets([failed("a-0"), failed("b-0", **other), failed("c-0", **other)])
    assert (len(first.results), len(second.results)) == (2, 1)


def test_without_a_divergence_it_is_what_was_said_that_counts() -> None:
    def crashed(name: str, reason: str, status: Status = Status.CRASHED) -> JobResult:
        return JobResult(job(name), status, reason)

    buckets = sort_into_buckets(
        [
            crashed("a-0", "it ended with status 139; see /out/a/sim.log"),
            crashed("b-0", "it ended with status 134; see /out/b/sim.log"),
            crashed("c-0", "no tests ran"),
            crashed("d-0", "no tests ran", Status.TIMEOUT),
            JobResult(job("e-0"), Status.PASSED),
            JobResult(job("f-0"), Status.SKIPPED, "why"),
        ]
    )
    assert [[result.job.name for result in bucket.results] for bucket in buckets] == [
        ["a-0", "b-0"],
        ["c-0"],
        ["d-0"],
    ]


@pytest.mark.parametrize(
    ("tensor", "element", "role"),
    [
        ({"tensor": "softmax_12", "element": "softmax_12[0][1]"}, "dst[3]", "softmax"),
        ({"tensor": "k_new", "element": "k_new[1][9]"}, "dst[3]", "k_new"),
        (None, "C[1][2]", "C"),
        (None, None, None),
    ],
)
def test_the_role_is_the_tensors_or_the_operands(
    tmp_path: Path, tensor: object, element: str | None, role: str | None
) -> None:
    told = {"kind": "data", "unit": None, "opcode": "MM", "tensor": tensor, "element": element}
    (tmp_path / "report.json").write_text(json.dumps({**told, "first_sign": "s"}), encoding="utf-8")
    failure = failure_in(RunReport("t", failure=str(tmp_path), shrunk="small"))
    assert failure == Failure(str(tmp_path), "s", "data", None, "MM", role, "small")
    assert failure_in(RunReport("t")) is None
