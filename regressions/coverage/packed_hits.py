"""Coverage databases read fast: thousands of them, as a night leaves one a job.

What runs hit is kept in arrays. An object a bin, as `verif.coverage.database_file` makes them,
takes several times the memory, and most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sequences.document import DocumentError, read_model
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.database_file import LIMITS, DatabaseDocument, HitsDocument, load_database
from verif.coverage.model import CoverageModel
from verif.coverage.run_identity import RunIdentity


@dataclass(frozen=True, eq=False)
class PackedBins(Mapping[int, BinHits]):
    """What one run hit, as `RunHits.bins`: equal to any other mapping of the same."""

    numbers: NDArray[np.int64]
    """int64[bins]: of the bins that were hit, in the model."""
    counts: NDArray[np.int64]
    """int64[bins]: how often."""
    places: NDArray[np.int64]
    """int64[bins]: of the first program, in `programs`."""
    programs: tuple[str, ...]

    @cached_property
    def _position(self) -> dict[int, int]:
        return {number: position for position, number in enumerate(self.numbers.tolist())}

    def __getitem__(self, number: int) -> BinHits:
        """Return the hits of a bin; KeyError if there are none."""
        position = self._position[number]
        return BinHits(int(self.counts[position]), self.programs[self.places[position]])

    def __iter__(self) -> Iterator[int]:
        """Yield the bins."""
        return iter(self.numbers.tolist())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)


def packed(bins: Mapping[int, BinHits]) -> PackedBins:
    """Return hits in arrays, whatever they are kept in."""
    if isinstance(bins, PackedBins):
        return bins
    programs = tuple(dict.fromkeys(each.program for each in bins.values()))
    place = {program: number for number, program in enumerate(programs)}
    return PackedBins(
        np.fromiter(bins, np.int64, len(bins)),
        np.fromiter((each.count for each in bins.values()), np.int64, len(bins)),
        np.fromiter((place[each.program] for each in bins.values()), np.int64, len(bins)),
        programs,
    )


def load_packed(path: Path, model: CoverageModel) -> CoverageDatabase:
    """Read a database. `load_database` has the word on whatever is odd, and raises its CoverageError."""
    try:
        document = read_model(path, DatabaseDocument, LIMITS)
    except DocumentError:
        return load_database(path, model)
    passed: dict[RunIdentity, RunHits] = {}
    for run in document.runs:
        bins = _bins(run.result, model)
        if bins is None:
            return load_database(path, model)
        identity = RunIdentity(run.test, run.seed, run.simulator, run.build)
        passed[identity] = RunHits(run.result.counted, bins)
    if document.failed or document.definitions != model.fingerprint or len(passed) < len(document.runs):
        return load_database(path, model)
    return CoverageDatabase(document.definitions, passed)


def _bins(document: HitsDocument, model: CoverageModel) -> PackedBins | None:
    """Return the hits of a run; None if there is anything that the model does not have."""
    try:
        items = [model[name] for name in document.hits]
    except KeyError:
        return None
    lengths = [len(rows) for rows in document.hits.values()]
    rows = np.fromiter(chain.from_iterable(chain.from_iterable(document.hits.values())), np.int64)
    numbers, counts, places = rows.reshape(-1, 3).T
    if (numbers >= np.repeat(np.array([item.size for item in items], np.int64), lengths)).any():
        return None
    numbers = numbers + np.repeat(np.array([item.first for item in items], np.int64), lengths)
    odd = not _possible(model)[numbers].all() or (places >= len(document.programs)).any()
    if odd or len(np.unique(numbers)) < len(numbers):
        return None
    return PackedBins(numbers, counts, places, tuple(document.programs))


_POSSIBLE: dict[str, NDArray[np.bool_]] = {}
"""By the model's fingerprint: which of its combinations are bins, bool[all]."""


def _possible(model: CoverageModel) -> NDArray[np.bool_]:
    if model.fingerprint not in _POSSIBLE:
        _POSSIBLE[model.fingerprint] = np.concatenate([item.possible.ravel() for item in model])
    return _POSSIBLE[model.fingerprint]
