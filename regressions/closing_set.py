"""The closing set: the simulations that every generated mutant must be found by."""

from __future__ import annotations

from collections.abc import Iterable

from regressions.closing.base import base_jobs
from regressions.closing.job import Job

SEED = 1

_ORDER = (
    "random_programs.RandomProgramTest",
    "directed.DirectedTest",
    "random_graphs.RandomGraphTest",
    "protocol.RandomDelayTest",
    "decode.DecodeTest",
)
"""Tests by how much of the chip they show for their time; any others come last."""


def closing_jobs() -> list[Job]:
    """Return all jobs of the set in the order in which they are worth trying, no stimulus twice.

    Which simulator a job names does not matter: Verilator runs them all.
    """
    return _worth_trying(base_jobs(SEED))


def reset_jobs() -> list[Job]:
    """Return the jobs for dropped resets: resets in every kind of cycle, then what Icarus runs anyway."""
    resets = Job("directed-resets", "icarus", "directed.DirectedTest", {"groups": ["resets"], "seed": SEED})
    return [resets, *_worth_trying(job for job in base_jobs(SEED) if job.simulator == "icarus")]


def _worth_trying(jobs: Iterable[Job]) -> list[Job]:
    once: dict[str, Job] = {}
    for job in jobs:
        once.setdefault(f"{job.test} {job.parameters}", job)
    return sorted(once.values(), key=_rank)


def _rank(job: Job) -> tuple[bool, int]:
    """Small random programs come first, then the tests in their order."""
    place = _ORDER.index(job.test) if job.test in _ORDER else len(_ORDER)
    return "weights" not in job.parameters, place
