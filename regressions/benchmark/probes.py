"""What is measured."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.speculative.verification import verify_greedy
from regressions.benchmark.history_workload import slowest_question_seconds
from regressions.benchmark.probe import Probe
from regressions.benchmark.random_workload import RandomWorkload
from regressions.benchmark.software_side import software_side_seconds
from regressions.benchmark.verifier_shapes import compilation_seconds, run_seconds
from regressions.benchmark.workload import save_all
from regressions.choices import RTL_SIMULATORS
from regressions.published.run import run_table
from regressions.rtl import RtlFailure, run_test
from verif.simulation.bare_run import measure_bare
from verif.sources import source_digests

CYCLES_PER_SECOND, SECONDS = "cycles/s", "s"

BARE_ROUNDS = {"icarus": 4, "verilator": 200}
BENCH_ROUNDS = {"icarus": 3, "verilator": 60}
MODEL_ROUNDS = 20
"""How often the workload runs for one sample, so that each takes a second or two."""

VOCABULARY, GUESSES = 32_000, 4
VERIFICATIONS = 200


Rows = NDArray[np.float32]


def probes(bundles: Sequence[Bundle], directory: Path) -> list[Probe]:
    """Return all probes on a workload; simulations run below `directory`."""
    paths = [str(path) for path in save_all(list(bundles), directory)]

    def bare(simulator: str) -> float:
        rounds = BARE_ROUNDS[simulator]
        return measure_bare(simulator, bundles, rounds, directory / f"bare-{simulator}").cycles_per_second

    def bench(simulator: str, coverage: bool = False) -> float:
        parameters = {"bundles": paths, "rounds": BENCH_ROUNDS[simulator]}
        report = run_test(
            simulator,
            "throughput.ThroughputTest",
            parameters,
            directory / f"bench-{simulator}",
            coverage=coverage,
        )
        if not report.passed:
            raise RtlFailure(
                f"{simulator}: {report.mismatches[0]}; a bench that finds a mismatch is not timed"
            )
        return float(report.payload["cycles"] / report.payload["seconds"])

    machine = Machine()
    for bundle in bundles:
        machine.run(bundle)  # decoded once, before anything is timed
    per_simulator = [
        probe
        for simulator in RTL_SIMULATORS
        for probe in (
            Probe(f"bare harness, {simulator}", CYCLES_PER_SECOND, partial(bare, simulator)),
            Probe(f"whole bench, {simulator}", CYCLES_PER_SECOND, partial(bench, simulator)),
        )
    ]
    random_workload = RandomWorkload()
    random_bare = partial(random_workload.bare_run, "verilator", directory / "random")
    collecting = partial(bench, "verilator", coverage=True)
    return [
        *per_simulator,
        Probe("with coverage, verilator", CYCLES_PER_SECOND, collecting),
        Probe("reference model", CYCLES_PER_SECOND, partial(_model_speed, machine, bundles)),
        Probe("random programs, made and modelled", CYCLES_PER_SECOND, random_workload.generation_and_model),
        Probe("random programs, bare verilator", CYCLES_PER_SECOND, random_bare),
        Probe("software side", SECONDS, software_side_seconds),
        Probe("published table", SECONDS, partial(_table_seconds, directory / "table")),
        Probe("compiling 484 shapes", SECONDS, compilation_seconds),
        Probe("history, slowest question", SECONDS, partial(slowest_question_seconds, directory)),
        Probe("484 shapes, verilator", SECONDS, partial(run_seconds, "verilator", directory)),
        Probe("484 shapes, icarus", SECONDS, partial(run_seconds, "icarus", directory), once=True),
        Probe("argmax of five rows", SECONDS, partial(_seconds_a_call, _argmax(_rows()))),
        Probe("verify_greedy", SECONDS, partial(_seconds_a_call, _verification(_rows()))),
    ]


def _model_speed(machine: Machine, bundles: Sequence[Bundle]) -> float:
    cycles = 0
    began = time.perf_counter()
    for _ in range(MODEL_ROUNDS):
        for bundle in bundles:
            cycles += machine.run(bundle).counters.cyc_total
    return cycles / (time.perf_counter() - began)


def _table_seconds(directory: Path) -> float:
    directory.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    workers = os.cpu_count() or 1
    results = run_table(RTL_SIMULATORS, directory, workers, source_digests(), on_progress=lambda _: None)
    if not all(result.good for result in results):
        raise RtlFailure("the published table is not reproduced, so its time means nothing: see make run")
    return time.perf_counter() - began


def _rows() -> Rows:
    """Return masses over a large vocabulary, one row for each guess and one after them."""
    return np.random.default_rng(1).random((GUESSES + 1, VOCABULARY), np.float32)


def _argmax(rows: Rows) -> Callable[[], object]:
    return lambda: [row.argmax() for row in rows]


def _verification(rows: Rows) -> Callable[[], object]:
    """Return a verification that accepts every guess, so that every row is read."""
    guesses = rows[:-1].argmax(axis=1)
    return lambda: verify_greedy(rows, guesses)


def _seconds_a_call(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    for _ in range(VERIFICATIONS):
        call()
    return (time.perf_counter() - began) / VERIFICATIONS
