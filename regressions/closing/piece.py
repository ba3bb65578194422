"""One piece of a job, and what it hits: told by the model, and held against what the whole job hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.machine import Machine
from refmodel.speculative.model_runner import run_on_model
from refmodel.speculative.step import Step
from regressions.closing.job import Job
from regressions.closing.pieces import split, weights_of
from sequences.decode_request import DecodeRequest
from sequences.directed import GROUPS, LONG_GROUPS
from sequences.random_graphs.graph_runs import graph_runs
from sequences.random_programs import random_programs
from verif.coverage.database import RunHits
from verif.coverage.loop_record import plain_loop, speculative_loop
from verif.coverage.model import CoverageModel
from verif.coverage.prediction import predicted
from verif.coverage.tally import Tally


@dataclass(frozen=True)
class Piece:
    """What can be sent by itself, and what comes of it."""

    job: Job
    """Sends just this."""
    bins: frozenset[int]
    """What it hits: of what the whole job hit on the RTL that which the model tells of this piece, or whose
    first hit was by one of its programs."""
    cycles: int
    programs: int


def pieces_of(job: Job, hits: RunHits, cycles: int, model: CoverageModel) -> Iterator[Piece]:
    """Yield a job that has run, and took so many cycles, in pieces; one that cannot be split is one."""
    parts = list(split(job))
    if len(parts) == 1:
        yield Piece(job, frozenset(hits.bins), cycles, hits.programs)
        return
    for part in parts:
        tally, machine = Tally(model), Machine()
        names, taken = set(), 0
        for name, bundle in _programs(part, tally):
            tally.program(name, predicted(bundle, machine))
            names.add(name)
            taken += decode_program(bundle.code, bundle.read_latency).counters.cyc_total
        told = tally.result()
        first = {number for number, each in hits.bins.items() if each.program in names}
        yield Piece(part, frozenset(told.bins) & hits.bins.keys() | first, taken, told.programs)


def _programs(job: Job, tally: Tally) -> Iterator[tuple[str, Bundle]]:
    """Yield what a job sends, by the names on the RTL where those are unique; count decodings as a whole."""
    match job.test:
        case "random_programs.RandomProgramTest":
            numbers = job.parameters["only"]
            for program in random_programs(job.parameters["seed"], numbers, weights_of(job)):
                yield program.name, program.bundle()
        case "directed.DirectedTest":
            for group in job.parameters["groups"]:
                for directed in {**GROUPS, **LONG_GROUPS}[group](job.parameters["seed"]):
                    yield directed.name, directed.bundle
        case "random_graphs.RandomGraphTest":
            for seed in job.parameters["seeds"]:
                yield from ((run.name, run.bundle()) for run in graph_runs(seed))
        case "decode.DecodeTest":
            for decoding in job.parameters["decodings"]:
                yield from (("", bundle) for bundle in _decoding(decoding, tally))


def _decoding(decoding: Mapping[str, Any], tally: Tally) -> Iterator[Bundle]:
    request = DecodeRequest.from_json(decoding["request"])
    steps: list[Step] = []
    plain = run_on_model(request.plain(), Machine(), lambda step, _: steps.append(step))
    tally.loop("plain", plain_loop(request, plain.run))
    if decoding["speculative"]:
        speculative = run_on_model(request.speculative(), Machine(), lambda step, _: steps.append(step))
        tally.loop("speculative", speculative_loop(request, speculative.run))
    yield from (step.bundle() for step in steps)
