"""A job in pieces that can be sent without the rest of it, and pieces joined into jobs again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from regressions.closing.job import Job
from sequences.random_programs import (
    Weights,
    default_weights,
    load_weights,
    random_programs,
    with_predecessors,
)
from verif.simulation.plain_path import REPOSITORY

LIST_PARAMETER = {
    "decode.DecodeTest": "decodings",
    "directed.DirectedTest": "groups",
    "random_graphs.RandomGraphTest": "seeds",
    "random_programs.RandomProgramTest": "only",
}
"""What a test runs one after another; no entry of it needs another, but for random programs of one series."""


def split(job: Job) -> Iterator[Job]:
    """Yield jobs that together send what the job does, each as little as can be sent by itself."""
    parameter = LIST_PARAMETER.get(job.test)
    if parameter is None or parameter not in job.parameters:
        yield job
    elif parameter == "only":
        for numbers in _chains(job):
            yield _with(job, parameter, numbers)
    else:
        for value in job.parameters[parameter]:
            yield _with(job, parameter, [value])


def group_of(job: Job) -> str:
    """Return what is the same of all jobs that can be joined into one."""
    return repr((job.simulator, job.test, _others(job)))


def join(name: str, jobs: Sequence[Job]) -> Job:
    """Return one job that sends what several of one group do."""
    parameter = LIST_PARAMETER.get(jobs[0].test)
    if parameter is None or parameter not in jobs[0].parameters:
        return Job(name, jobs[0].simulator, jobs[0].test, jobs[0].parameters)
    values: list[Any] = []
    for job in jobs:
        values += [value for value in job.parameters[parameter] if value not in values]
    return _with(Job(name, jobs[0].simulator, jobs[0].test, jobs[0].parameters), parameter, values)


def weights_of(job: Job) -> Weights:
    """Return the weights that a job's random programs are drawn with."""
    path = job.parameters.get("weights")
    return default_weights() if path is None else load_weights(REPOSITORY / path)


def _chains(job: Job) -> Iterator[list[int]]:
    """Yield numbers of programs, from one that begins with a scratchpad of its own up to the next."""
    parameters = job.parameters
    chain: list[int] = []
    weights = weights_of(job)
    numbers = with_predecessors(parameters["seed"], parameters["only"], weights)
    for program in random_programs(parameters["seed"], numbers, weights):
        if chain and program.scratchpad is not None:
            yield chain
            chain = []
        chain.append(program.number)
    yield chain


def _with(job: Job, parameter: str, values: Sequence[Any]) -> Job:
    return Job(job.name, job.simulator, job.test, {**job.parameters, parameter: list(values)})


def _others(job: Job) -> list[tuple[str, Any]]:
    parameter = LIST_PARAMETER.get(job.test)
    return sorted((name, value) for name, value in job.parameters.items() if name != parameter)
