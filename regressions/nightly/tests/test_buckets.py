"""By what failures are told apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Requantize
from refmodel.machine.events import Write
from refmodel.machine.trace import trace_program
from regressions.nightly.buckets import sort_into_buckets
from regressions.nightly.result import Failure, JobResult, Status
from regressions.nightly.signature import failure_in
from regressions.nightly.tests.fakes import job
from sequences.random_graphs.graph_runs import graph_runs
from verif.divergence.report import divergence_json
from verif.divergence.search import find_divergence
from verif.run_report import RunReport
from verif.tests.found_events import found_events


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
    ("service", "element", "role"),
    [
        ("softmax", "dst[3]", "softmax"),
        (None, "C[1][2]", "C"),
        (None, None, None),
    ],
)
def test_the_role_is_the_kind_of_node_or_the_operand(
    tmp_path: Path, service: str | None, element: str | None, role: str | None
) -> None:
    told = {"kind": "data", "unit": None, "opcode": "MM", "service": service, "element": element}
    (tmp_path / "report.json").write_text(json.dumps({**told, "first_sign": "s"}), encoding="utf-8")
    failure = failure_in(RunReport("t", failure=str(tmp_path), shrunk="small"))
    assert failure == Failure(str(tmp_path), "s", "data", None, "MM", role, "small")
    assert failure_in(RunReport("t")) is None


def report_of_graph(seed: int) -> dict[str, Any]:
    """Return the report of a random graph in which the first requantized element of a product is wrong."""
    trace = trace_program(next(graph_runs(seed)).bundle())
    source_map, code = trace.bundle.source_map, trace.bundle.code
    assert source_map is not None
    events = found_events(trace)
    at, wrong = next(
        (at, event)
        for at, event in enumerate(events)
        if isinstance(event, Write)
        and isinstance(decode(code[event.pc]), Requantize)
        and (source := source_map.instruction(event.pc))
        and source.service == "matmul"
    )
    events[at] = replace(wrong, data=wrong.data ^ 1)
    divergence = find_divergence(trace, events)
    assert divergence is not None
    return {**divergence_json(divergence), "first_sign": "s"}


def test_one_bug_in_many_random_graphs_is_one_bucket(tmp_path: Path) -> None:
    tensors, results = set(), []
    for seed in (1, 3, 4, 5, 22):
        report = report_of_graph(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "report.json").write_text(json.dumps(report), encoding="utf-8")
        tensors.add(report["tensor"]["tensor"])
        failure = failure_in(RunReport("t", failure=str(folder)))
        results.append(JobResult(job(f"graph-{seed}", seed=seed), Status.FAILED, failure=failure))
    assert tensors == {"n11", "matmul_7", "relu_5", "n26", "n3"}, "each graph has names of its own"
    (bucket,) = sort_into_buckets(results)
    assert str(bucket.signature) == "data, vector, RQ, matmul"
