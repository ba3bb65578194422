"""What a campaign begins with: a sample of every kind of stimulus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from refmodel.language.target import MAX_CONTEXT, TARGET_KINDS
from regressions.closing.job import Job
from sequences.decode_request import DecodeRequest
from sequences.directed import GROUPS, LONG_GROUPS
from sequences.random_programs.weights import SHORT_WEIGHTS
from verif.simulation.plain_path import REPOSITORY

RANDOM_JOBS, RANDOM_PROGRAMS = 4, 75
"""Simulations of random programs with the default weights, and how many programs each runs."""

SHORT_PROGRAMS = 120
"""Small random programs on Icarus."""

GRAPHS = 60


def base_jobs(seed: int) -> Iterator[Job]:
    """Yield the jobs, the longest first, so that they end together."""
    for number in range(RANDOM_JOBS):
        first = number * RANDOM_PROGRAMS
        only = list(range(first, first + RANDOM_PROGRAMS))
        yield _verilator(f"random-{number}", "random_programs.RandomProgramTest", seed=seed, only=only)
    weights = SHORT_WEIGHTS.relative_to(REPOSITORY).as_posix()
    yield Job(
        "icarus-random",
        "icarus",
        "random_programs.RandomProgramTest",
        {"seed": seed, "only": list(range(SHORT_PROGRAMS)), "weights": weights},
    )
    yield Job("icarus-directed", "icarus", "directed.DirectedTest", {"groups": [*GROUPS], "seed": seed})
    yield _verilator("directed", "directed.DirectedTest", groups=[*GROUPS, *LONG_GROUPS], seed=seed)
    yield _verilator("graphs", "random_graphs.RandomGraphTest", seeds=list(range(seed, seed + GRAPHS)))
    yield _verilator("delays", "protocol.RandomDelayTest", seed=seed)
    yield _verilator("plain-steps", "decode.DecodeTest", decodings=list(_whole_contexts(seed)))


def _whole_contexts(seed: int) -> Iterator[dict[str, Any]]:
    """Yield decodings that run a plain step over every number of cached rows."""
    for target in TARGET_KINDS:
        request = DecodeRequest(target, seed, k=0, tokens=MAX_CONTEXT - 1, scales="model")
        yield {"request": asdict(request), "speculative": False}


def _verilator(name: str, test: str, **parameters: Any) -> Job:
    return Job(name, "verilator", test, parameters)
