"""How stimulus is chosen for what is missing: candidates, and what the model says that each of them hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from regressions.closing.job import Job
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


@dataclass(frozen=True)
class Choice:
    """What came of looking through candidates."""

    keys: list[Any]
    """Of those that were taken."""
    tried: int
    """How many were looked at."""
    promised: frozenset[int]
    """The bins that were looked for, and that those hit according to the model."""


@dataclass(frozen=True)
class Attempt:
    """What one round does for bins that are missing."""

    jobs: list[Job]
    """None if nothing was found that hits one of the bins; their names come later."""
    tried: int
    """As in `Choice`."""
    promised: frozenset[int]
    """As in `Choice`: if one of them is still missing afterwards, model and bench disagree."""


Aim = Callable[[CoverageModel, frozenset[int], int], Attempt]
"""From the model, bins that are missing, and a seed of its own."""


def choose(candidates: Iterable[Candidate], wanted: frozenset[int], most: int) -> Choice:
    """Take those that hit something wanted which none before them does, until nothing is left.

    No more candidates are drawn than it takes, and at most `most`: what none of them hits resists.
    """
    left = set(wanted)
    chosen: list[Any] = []
    tried = 0
    source = iter(candidates)
    while left and tried < most:
        candidate = next(source, None)
        if candidate is None:
            break
        tried += 1
        if left & candidate.bins:
            left -= candidate.bins
            chosen.append(candidate.key)
    return Choice(chosen, tried, wanted - left)


def predicted_bins(model: CoverageModel, bundles: Iterable[Bundle]) -> frozenset[int]:
    """Return what programs hit that run one after another, as far as the model can tell."""
    tally, machine = Tally(model), Machine()
    for bundle in bundles:
        tally.program("candidate", predicted(bundle, machine))
    return frozenset(tally.result().bins)
