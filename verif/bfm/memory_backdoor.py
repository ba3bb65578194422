"""Bulk access to the simulator's memories and signals: one class for both simulators.

cocotb's own handles need about a microsecond and a half a word. The C library `verif/bfm/native/vpi_memory.c`
needs a quarter of that in Icarus and, through arrays, a thousandth in Verilator.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.errors import Ga2Error
from verif.shell_line import make_line

LIBRARY_VARIABLE = "GA2_NATIVE_LIBRARY"
"""Environment variable with the path of the C library; sim.mk sets it."""

WordArray = NDArray[np.uint32]

_PROBLEMS = {
    -1: "there is no such memory or signal of that size, or it is not visible",
    -2: "its elements are too wide",
}


class BackdoorError(Ga2Error):
    """A memory or signal cannot be reached by name."""


class MemoryBackdoor:
    """The words of one unpacked array, or a list of signals, read and written in bulk.

    An element wider than 32 bits takes several words, lowest first. Use only from within the simulation's
    own thread, while simulated time stands still.
    """

    def __init__(self, handle: int, length: int) -> None:
        """Wrap what the library opened; use `array` or `signals` instead."""
        library = _library()
        self.length = length
        self.words_per_element: int = library.memory_words(handle)
        self._handle = handle
        self._fast = bool(library.memory_is_fast(handle))
        self._read = library.memory_read
        self._write = library.memory_write
        self._write_scattered = library.memory_write_scattered

    @classmethod
    def array(cls, path: str, length: int) -> MemoryBackdoor:
        """Open an unpacked array [0:length-1] by its hierarchical path. Raises BackdoorError."""
        handle = _library().memory_open_array(path.encode(), 0, length)
        if handle < 0:
            raise BackdoorError(f"{path}[0:{length - 1}]: {_PROBLEMS[handle]}")
        return cls(handle, length)

    @classmethod
    def signals(cls, paths: Sequence[str]) -> MemoryBackdoor:
        """Open signals of at most 32 bits each, one element a signal. Raises BackdoorError."""
        names = (ctypes.c_char_p * len(paths))(*(path.encode() for path in paths))
        position = ctypes.c_int(0)
        handle = _library().memory_open_signals(names, len(paths), ctypes.byref(position))
        if handle < 0:
            raise BackdoorError(f"{paths[position.value]}: {_PROBLEMS[handle]}")
        return cls(handle, len(paths))

    def read(self, count: int | None = None) -> tuple[WordArray, WordArray | None]:
        """Return the first `count` elements (default: all) and their unknown bits.

        The second array has a 1 for every bit that is X or Z; it is None where there is none, as always in
        Verilator.
        """
        count = self.length if count is None else count
        values: WordArray = np.empty(count * self.words_per_element, np.uint32)
        if self._fast:
            self._read(self._handle, 0, count, values.ctypes.data, None)
            return values, None
        unknown = np.empty_like(values)
        any_unknown = self._read(self._handle, 0, count, values.ctypes.data, unknown.ctypes.data)
        return values, unknown if any_unknown else None

    def write(self, values: WordArray) -> None:
        """Write elements from the first on."""
        values = np.ascontiguousarray(values, np.uint32)
        self._check_fits(values)
        self._write(self._handle, 0, len(values) // self.words_per_element, values.ctypes.data)

    def update(self, values: WordArray, contents: WordArray | None) -> None:
        """Write elements from the first on, given what a prefix of the memory is known to hold.

        Where single words are expensive only those are written that differ from `contents`.
        """
        if self._fast or contents is None or self.words_per_element > 1:
            self.write(values)
            return
        self._check_fits(values)
        known = min(len(values), len(contents))
        changed = np.flatnonzero(values[:known] != contents[:known])
        indices = np.concatenate([changed, np.arange(known, len(values))]).astype(np.int32)
        words = np.ascontiguousarray(values[indices], np.uint32)
        self._write_scattered(self._handle, len(indices), indices.ctypes.data, words.ctypes.data)

    def _check_fits(self, values: WordArray) -> None:
        assert len(values) <= self.length * self.words_per_element, "more words than the memory has"


@cache
def _library() -> Any:
    """Load the C library into this process. Raises BackdoorError when it is not there."""
    path = os.environ.get(LIBRARY_VARIABLE)
    if not path:
        raise BackdoorError(f"{LIBRARY_VARIABLE} is not set: start simulations through sim.mk, which sets it")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise BackdoorError(
            f"{path} cannot be loaded ({error}); make it again: {make_line('-f', 'sim.mk', 'native')}"
        ) from error
    pointer, number = ctypes.c_void_p, ctypes.c_int
    library.memory_open_array.argtypes = [ctypes.c_char_p, number, number]
    library.memory_open_signals.argtypes = [ctypes.POINTER(ctypes.c_char_p), number, pointer]
    library.memory_read.argtypes = [number, number, number, pointer, pointer]
    library.memory_write.argtypes = [number, number, number, pointer]
    library.memory_write.restype = None
    library.memory_write_scattered.argtypes = [number, number, pointer, pointer]
    library.memory_write_scattered.restype = None
    return library
