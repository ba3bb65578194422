"""The words that the machine's operations read and write, and how an operation holds on to its operands.

An operation of a program is bound once and executed many times, so what can be settled once is: an operand
that does not wrap is a strided view of the memory, made here; one that wraps is gathered by index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import Region

# Little endian whatever the host is, so that the first byte of a word is its low byte.
UNSIGNED_WORD = np.dtype("<u4")
SIGNED_WORD = np.dtype("<i4")
LOW_BYTE = np.dtype("i1")
"""How an operand's words are read: all 32 bits, unsigned or signed, or the signed low byte alone."""

_WORD_BYTES = 4

Reader = Callable[[], NDArray[Any]]
"""Returns the operand's elements, possibly as a view: finish computing before writing."""

Writer = Callable[[NDArray[Any]], None]
"""Stores the elements of a result and keeps the array, which must therefore not be a view of a memory."""


class MachineMemory:
    """The machine's scratchpad and the external memory it is connected to."""

    def __init__(self) -> None:
        """Make memories that are 0 everywhere."""
        self.scratchpad = np.zeros(SCRATCHPAD_WORDS, UNSIGNED_WORD)
        self.ext = np.zeros(EXT_ADDRESS_WORDS, UNSIGNED_WORD)
        self.ext_words = EXT_ADDRESS_WORDS
        self.results: list[NDArray[Any]] = []
        """All that writers have written since it was last cleared, in order; those that do not stay too."""

    def load_ext(self, image: NDArray[np.uint32], ext_words: int) -> None:
        """Set external memory to `image` and zeros after it; words from `ext_words` on belong to nobody."""
        self.ext[: len(image)] = image
        self.ext[len(image) : max(ext_words, self.ext_words)] = 0
        self.ext_words = ext_words

    def drop_stray_writes(self) -> None:
        """Make the words that belong to nobody read as 0 again."""
        self.ext[self.ext_words :] = 0

    def scratchpad_reader(self, region: Region, element: np.dtype[Any]) -> Reader:
        """Return what reads a region of the scratchpad, each word as `element`."""
        return reader(self.scratchpad, region, element)

    def scratchpad_writer(self, region: Region, element: np.dtype[Any] = SIGNED_WORD) -> Writer:
        """Return what writes a region of the scratchpad."""
        return writer(self.scratchpad, region, self.results.append, element)

    def ext_reader(self, region: Region) -> Reader:
        """Return what reads a region of external memory."""
        return reader(self.ext, region, UNSIGNED_WORD)

    def ext_writer(self, region: Region) -> Writer:
        """Return what writes a region of external memory; the caller drops stray writes."""
        return writer(self.ext, region, self.results.append, UNSIGNED_WORD)


def reader(memory: NDArray[np.uint32], region: Region, element: np.dtype[Any]) -> Reader:
    """Return what reads a region of the scratchpad or of external memory, each word as `element`."""
    if region.wraps:
        elements = memory.view(element)[:: _WORD_BYTES // element.itemsize]
        addresses = region.addresses()
        return lambda: elements[addresses]
    view = _view(memory, region, element)
    return lambda: view


def writer(
    memory: NDArray[np.uint32], region: Region, record: Writer, element: np.dtype[Any] = SIGNED_WORD
) -> Writer:
    """Return what writes a region in row-major order; where addresses coincide the later write stays.

    `record` is given every result too.
    """
    if region.wraps and len(region.shape) == 1:
        # No vector is as long as its memory, so each of its words has an address of its own.
        vector_elements, addresses = memory.view(element), region.addresses()

        def scatter_vector(values: NDArray[Any]) -> None:
            record(values)
            vector_elements[addresses] = values

        return scatter_vector
    if region.wraps or _rows_meet(region):
        # numpy promises no order of assignment to a view that overlaps itself, so the order is settled here.
        last_writes = {address: position for position, address in enumerate(region.addresses().flat)}
        targets = np.array(list(last_writes.keys()))
        positions = np.array(list(last_writes.values()))
        elements = memory.view(element)

        def scatter(values: NDArray[Any]) -> None:
            record(values)
            elements[targets] = values.ravel()[positions]

        return scatter
    view = _view(memory, region, element)

    def store(values: NDArray[Any]) -> None:
        record(values)
        view[...] = values

    return store


def _rows_meet(region: Region) -> bool:
    """Do rows of neighbouring words share addresses?"""
    if len(region.shape) == 1:
        return False
    rows, columns = region.shape
    return rows > 1 and region.strides[0] < columns


def _view(memory: NDArray[np.uint32], region: Region, element: np.dtype[Any]) -> NDArray[Any]:
    """Return a view of a region that does not wrap."""
    shape, strides = region.shape, region.strides
    inner = strides[-1] * _WORD_BYTES
    bytes_apart = (inner,) if len(shape) == 1 else (strides[0] * _WORD_BYTES, inner)
    return np.ndarray(shape, element, memory, region.start * _WORD_BYTES, bytes_apart)
