"""How stimulus is chosen for what is missing: candidates, and what the model says that each of them hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from verif.coverage.model import CoverageModel
from verif.coverage.prediction import predicted
from verif.coverage.tally import Tally


@dataclass(frozen=True)
class Candidate:
    """Stimulus that a job could send."""

    key: Any
    """What the job's parameters name it by."""
    bins: frozenset[int]
    """What it hits according to the model."""


def choose(candidates: Iterable[Candidate], wanted: frozenset[int]) -> list[Any]:
    """Return the keys of those that hit something wanted which none before them does; no more are drawn."""
    left = set(wanted)
    chosen = []
    for candidate in candidates:
        if not left:
            break
        if left & candidate.bins:
            left -= candidate.bins
            chosen.append(candidate.key)
    return chosen


def predicted_bins(model: CoverageModel, bundles: Iterable[Bundle]) -> frozenset[int]:
    """Return what programs hit that run one after another, as far as the model can tell."""
    tally, machine = Tally(model), Machine()
    for bundle in bundles:
        tally.program("candidate", predicted(bundle, machine))
    return frozenset(tally.result().bins)


def limited(candidates: Iterator[Candidate], most: int) -> Iterator[Candidate]:
    """Yield no more than so many candidates: what none of them hits resists."""
    for _, candidate in zip(range(most), candidates, strict=False):
        yield candidate
