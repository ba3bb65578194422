"""The closing set, as the simulations that every generated mutant must be found by: the standing list."""

from __future__ import annotations

from regressions.closing.job import Job
from regressions.closing.job_list import load_jobs

_ORDER = (
    "random_programs.RandomProgramTest",
    "directed.DirectedTest",
    "random_graphs.RandomGraphTest",
    "protocol.RandomDelayTest",
    "language.LanguageTest",
    "decode.DecodeTest",
)
"""Tests by how much of the chip they show for their time."""


def closing_jobs() -> list[Job]:
    """Return all jobs of the list in the order in which they are worth trying.

    Which simulator a job names does not matter: Verilator runs them all.
    """
    return sorted(load_jobs(), key=lambda job: _ORDER.index(job.test))


def reset_jobs() -> list[Job]:
    """Return what the list runs in Icarus, for dropped resets: resets in every kind of cycle come first."""
    in_icarus = [job for job in closing_jobs() if job.simulator == "icarus"]
    return sorted(in_icarus, key=lambda job: "resets" not in job.parameters.get("groups", ()))
