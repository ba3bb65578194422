"""One coverage item: a question of the test plan, the bins it is counted in, and which of them cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from verif.coverage.dimension import NO_BIN, Dimension, IndexArray
from verif.coverage.errors import CoverageError

NO_HITS: IndexArray = np.zeros(0, np.int64)
NO_HITS.flags.writeable = False


@dataclass(frozen=True)
class Impossible:
    """Bins that no legal run can reach: one for every combination of the bins named."""

    where: dict[str, tuple[str, ...]]
    """Bins by dimension; a dimension that is not named stands for all of its bins."""
    because: str


@dataclass(frozen=True)
class CoverageItem:
    """The cross of one or more dimensions; each combination is a bin."""

    name: str
    family: str
    """Name of the file that defines it, without its suffix."""
    description: str
    feature: str
    """Name of the feature of the test plan that it belongs to."""
    goal: float
    """Percentage of its possible bins that must be hit."""
    phrase: str
    """A bin in words, as in `an {opcode} of {length} words`; the names are those of the dimensions."""
    dimensions: tuple[Dimension, ...]
    impossible: tuple[Impossible, ...]
    first: int
    """Number of its first bin in the whole model."""

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of bins along each dimension."""
        return tuple(len(dimension.bins) for dimension in self.dimensions)

    @cached_property
    def size(self) -> int:
        """Number of combinations, impossible ones included."""
        return int(np.prod(self.shape))

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """bool, of the item's shape: which combinations are bins."""
        result = np.ones(self.shape, np.bool_)
        for each in self.impossible:
            selected = [
                [dimension.index(name) for name in each.where.get(dimension.name, dimension.bins)]
                for dimension in self.dimensions
            ]
            result[np.ix_(*selected)] = False
        return result

    @property
    def bins(self) -> int:
        """Number of bins that can be hit."""
        return int(self.possible.sum())

    def hits(self, *indices: ArrayLike) -> IndexArray:
        """Return the model-wide numbers of the bins at `indices`, one array or number a dimension.

        Arrays are broadcast against each other; what is `NO_BIN` in any dimension is left out. Raises
        CoverageError for a combination that the definitions call impossible: either they or a sampler lie.
        """
        numbers: IndexArray = np.zeros(1, np.int64)
        outside: NDArray[np.bool_] | bool = False
        for index, size in zip(indices, self.shape, strict=True):
            axis = np.asarray(index)
            outside = outside | (axis == NO_BIN)
            numbers = numbers * size + axis
        numbers = numbers.ravel()
        if np.any(outside):
            numbers = numbers[~np.broadcast_to(outside, numbers.shape).ravel()]
        if self.impossible and not self._possible_flat[numbers].all():
            found = self.words(int(numbers[~self._possible_flat[numbers]][0]))
            raise CoverageError(
                f"coverage item {self.name}: {found} was hit, which its definition calls impossible; "
                "correct the definition or the sampler"
            )
        return numbers + self.first

    def named(self, *bins: str) -> IndexArray:
        """Return `hits` of the one bin with these names, one a dimension."""
        pairs = zip(self.dimensions, bins, strict=True)
        return self.hits(*(dimension.index(name) for dimension, name in pairs))

    def number_of(self, indices: tuple[int, ...]) -> int:
        """Return the number of one of its bins, from 0."""
        return int(np.ravel_multi_index(indices, self.shape))

    def indices_of(self, number: int) -> tuple[int, ...]:
        """Return the index in each dimension of one of its bins, numbered from 0."""
        return tuple(int(index) for index in np.unravel_index(number, self.shape))

    def bin_names(self, number: int) -> tuple[str, ...]:
        """Return the name in each dimension of one of its bins, numbered from 0."""
        pairs = zip(self.dimensions, self.indices_of(number), strict=True)
        return tuple(dimension.bins[index] for dimension, index in pairs)

    def why_impossible(self, indices: tuple[int, ...]) -> str:
        """Return why a combination cannot be hit; StopIteration when it can."""
        names = self.bin_names(self.number_of(indices))
        found = dict(zip((dimension.name for dimension in self.dimensions), names, strict=True))
        return next(
            each.because
            for each in self.impossible
            if all(found[dimension] in bins for dimension, bins in each.where.items())
        )

    def words(self, number: int) -> str:
        """Return one of its bins in words."""
        pairs = zip(self.dimensions, self.bin_names(number), strict=True)
        names = {dimension.name: name for dimension, name in pairs}
        return self.phrase.format_map(names)

    def bin_numbers(self) -> Iterator[int]:
        """Return the numbers, from 0, of the bins that can be hit."""
        return iter(np.flatnonzero(self._possible_flat).tolist())

    @cached_property
    def _possible_flat(self) -> NDArray[np.bool_]:
        return self.possible.ravel()
