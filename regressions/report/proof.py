"""Which standing workloads of a night proved on the RTL the cycles that the model shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from regressions.history.recording import STANDING
from regressions.nightly.result import Status
from regressions.report.summary import ReportedJob, ReportedNight
from regressions.report.workloads import TableDecoding
from sequences.decode_request import DecodeRequest


@dataclass(frozen=True)
class StandingJob:
    """A standing workload of the night."""

    job: ReportedJob
    expected: int | None
    """Cycles of its programs on the model; None where its decodings are not all of the published table."""

    @property
    def proves(self) -> bool:
        """Did it pass, in the very cycles that the page shows?"""
        return self.job.status == Status.PASSED and self.expected in (None, self.job.cycles)


@dataclass(frozen=True)
class Proof:
    """What a night's standing workloads say of the model's cycles."""

    jobs: Sequence[StandingJob]

    @property
    def by_simulator(self) -> Mapping[str, tuple[int, int]]:
        """How many proved it, of how many."""
        simulators = sorted({each.job.simulator for each in self.jobs})
        found = {name: [each for each in self.jobs if each.job.simulator == name] for name in simulators}
        return {name: (sum(each.proves for each in jobs), len(jobs)) for name, jobs in found.items()}

    @property
    def good(self) -> bool:
        """Did every one prove it?"""
        return all(each.proves for each in self.jobs)


def proof_of(night: ReportedNight, table: Sequence[TableDecoding]) -> Proof:
    """Hold the cycles of a night's standing workloads against those of the same decodings on the model."""
    parameters: dict[str, Mapping[str, Any]] = {}
    if night.plan is not None:
        parameters = {job.name: job.parameters for job in night.plan.plan.jobs}
    standing = [job for job in night.summary.jobs if STANDING in job.tags]
    return Proof([StandingJob(job, _expected(parameters.get(job.name, {}), table)) for job in standing])


def _expected(parameters: Mapping[str, Any], table: Sequence[TableDecoding]) -> int | None:
    """Return the cycles of a job's decodings: a plain one of each target, and the speculative ones."""
    known = {each.request: each for each in table if not each.plain}
    plain = {_plain(each.request): each for each in table if each.plain}
    cycles: dict[tuple[DecodeRequest, bool], int] = {}
    try:
        decodings = _DECODINGS.validate_json(json.dumps(parameters.get("decodings", [])))
    except ValidationError:  # of a list that somebody wrote: what its job came to, it says itself
        return None
    for decoding in decodings:
        request = decoding.request
        wanted = [(plain.get(_plain(request)), True)]
        if decoding.speculative:
            wanted.append((known.get(request), False))
        for found, is_plain in wanted:
            if found is None:
                return None
            cycles[_plain(request) if is_plain else request, is_plain] = found.counters.cyc_total
    return sum(cycles.values()) or None


@dataclass(frozen=True)
class _Decoding:
    """What a job's parameters say of a decoding."""

    request: DecodeRequest
    speculative: bool


_DECODINGS = TypeAdapter(list[_Decoding])


def _plain(request: DecodeRequest) -> DecodeRequest:
    """Return what requests share that have one plain decoding."""
    return replace(request, k=0, draft="bigram", noise=0.0, draft_seed=0)
