"""Rows of masses for tests: random ones, and arrays that notice which rows are touched."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.numerics.quantization import FloatArray

FLOAT_DTYPES = (np.float16, np.float32, np.float64, np.longdouble)


def random_rows(count: int, vocabulary: int, seed: int) -> FloatArray:
    """Return positive masses that sum to anything, shape (count, vocabulary)."""
    return np.random.default_rng(seed).uniform(0.01, 1.0, (count, vocabulary))


class WatchedRows(np.ndarray[Any, np.dtype[np.float64]]):
    """An array that records which rows were taken out of it, in any view that keeps its rows."""

    touched: set[int]

    def __array_finalize__(self, source: NDArray[Any] | None) -> None:
        self.touched = getattr(source, "touched", set())

    def __getitem__(self, index: Any) -> Any:
        assert isinstance(index, int), f"rows are read one at a time, not by {index!r}"
        if self.ndim == 2:
            self.touched.add(index)
        return np.asarray(self)[index]


def watched(rows: FloatArray) -> WatchedRows:
    """Return a watched view of `rows`."""
    view = rows.view(WatchedRows)
    view.touched = set()
    return view


def poisoned(rows: FloatArray, first: int) -> FloatArray:
    """Return a copy whose rows from `first` on hold NaN, so that validating one of them would raise."""
    copy = rows.copy()
    copy[first:] = np.nan
    return copy
