"""Memory words of a named kind: regions that say what they hold and make it from a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from refmodel.errors import Ga2Error
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.machine.result import WordArray
from sequences.random_programs.draws import Purpose, generator

LARGEST_TIE_EXPONENT = 31
"""2^31 is the largest magnitude of a signed word."""


class Profile(StrEnum):
    """What the words of a region look like."""

    UNIFORM = "uniform"
    """All 32 bits random: noise above every int8 value."""
    INT8 = "int8"
    """−128..127, sign-extended."""
    NEAR_INT8 = "near_int8"
    """At the ends of int8: ±124..±127 and −128."""
    NEAR_INT32 = "near_int32"
    """At the ends of int32: −2^31..−2^31 + 3 and 2^31 − 4..2^31 − 1."""
    TIES = "ties"
    """Odd multiples of 2^exponent, of both signs: exact ties of an RQ (`requantizer.tie_exponent`)."""
    POSITIVE_TIES = "positive_ties"
    NEGATIVE_TIES = "negative_ties"
    SOFTMAX_TIES = "softmax_ties"
    """Scores whose probabilities are exact ties if an SM reads the whole region, of four words or more."""
    CONSTANT = "constant"
    """One word, repeated."""
    ONE_HOT = "one_hot"
    """Zeros and a single other word."""
    SPARSE = "sparse"
    """Zeros, and noise in one word of eight."""


@dataclass(frozen=True)
class DataRegion:
    """Neighbouring words of one profile; addresses wrap at the end of their memory.

    Raises Ga2Error for a number that no region has.
    """

    start: int
    length: int
    profile: Profile
    seed: int
    exponent: int = 0
    """Of the profiles of ties, 0..31."""

    def __post_init__(self) -> None:
        """Refuse what cannot be painted into any memory."""
        if self.start < 0 or self.length < 1 or self.seed < 0:
            raise Ga2Error(
                f"a region from {self.start} of {self.length} words with seed {self.seed}; "
                "start and seed are 0 and more, the length is 1 and more"
            )
        if not 0 <= self.exponent <= LARGEST_TIE_EXPONENT:
            raise Ga2Error(f"a region with exponent {self.exponent}, legal is 0..{LARGEST_TIE_EXPONENT}")

    def words(self) -> WordArray:
        """Return the words, uint32[length]."""
        return _MAKERS[self.profile](generator(Purpose.DATA, self.seed), self)


def paint(regions: Iterable[DataRegion], memory_words: int) -> WordArray:
    """Return a memory image, uint32: the regions one over the other on zeros, up to the last word of any.

    Raises Ga2Error for a region that does not fit, and for more words than 16 bits address.
    """
    if not 0 <= memory_words <= EXT_ADDRESS_WORDS:
        raise Ga2Error(f"a memory of {memory_words} words, legal is 0..{EXT_ADDRESS_WORDS}")
    image = np.zeros(memory_words, np.uint32)
    end = 0
    for region in regions:
        if region.start >= memory_words or region.length > memory_words:
            raise Ga2Error(
                f"a region from {region.start} of {region.length} words in a memory of {memory_words}: "
                "it must begin in it and be no longer"
            )
        words = region.words()
        before_wrap = memory_words - region.start
        image[region.start : region.start + region.length] = words[:before_wrap]
        if region.length > before_wrap:
            image[: region.length - before_wrap] = words[before_wrap:]
        end = max(end, min(region.start + region.length, memory_words))
    return image[:end]


Words = NDArray[np.int64]


def _as_words(values: Words) -> WordArray:
    return values.astype(np.uint32)


def _uniform(source: np.random.Generator, region: DataRegion) -> WordArray:
    return source.integers(0, 1 << 32, region.length, dtype=np.uint32)


def _int8(source: np.random.Generator, region: DataRegion) -> WordArray:
    return source.integers(-128, 128, region.length, dtype=np.int32).view(np.uint32)


def _near_int8(source: np.random.Generator, region: DataRegion) -> WordArray:
    drawn = source.integers(0, 9, region.length)  # −128..−124, 124..127
    return _as_words(np.where(drawn < 5, drawn - 128, drawn + 119))


def _near_int32(source: np.random.Generator, region: DataRegion) -> WordArray:
    return _as_words((1 << 31) - 4 + source.integers(0, 8, region.length))


def _ties(source: np.random.Generator, region: DataRegion) -> WordArray:
    """Half of them are the smallest multiples, which an RQ does not clamp.

    The positive words end below 2^31; −2^31 itself is the one tie of exponent 31.
    """
    exponent = region.exponent
    odd_numbers = 1 << max(LARGEST_TIE_EXPONENT - 1 - exponent, 0)
    largest = np.where(source.integers(0, 2, region.length) == 0, min(odd_numbers, 64), odd_numbers)
    magnitude = (2 * source.integers(0, largest) + 1) << exponent
    negative = source.integers(0, 2, region.length) == 0
    if region.profile is not Profile.TIES:
        negative[:] = region.profile is Profile.NEGATIVE_TIES
    return _as_words(np.where(negative, -magnitude, magnitude))


def _softmax_ties(source: np.random.Generator, region: DataRegion) -> WordArray:
    """Exponentials 65535, 65535, 1, 1 and zeros sum up to 2^17, so that r = 2^21 and every odd e ties.

    T[d] is 1 for d = 171..188 and 0 from 189 on.
    """
    top = int(source.integers(61, 128))
    scores = source.integers(-128, top - 188, region.length)
    if region.length >= 4:
        scores[:2] = top
        scores[2:4] = top - source.integers(171, 189, 2)
    return _as_words(source.permutation(scores))


EDGES = (0, 1, -1, 127, -127, -128, (1 << 31) - 1, -(1 << 31))
"""Half of all constants."""


def _one_word(source: np.random.Generator) -> int:
    if source.integers(0, 2) == 0:
        return EDGES[int(source.integers(0, len(EDGES)))] & 0xFFFF_FFFF
    return int(source.integers(0, 1 << 32))


def _constant(source: np.random.Generator, region: DataRegion) -> WordArray:
    return np.full(region.length, _one_word(source), np.uint32)


def _one_hot(source: np.random.Generator, region: DataRegion) -> WordArray:
    words = np.zeros(region.length, np.uint32)
    words[int(source.integers(0, region.length))] = _one_word(source) or 1
    return words


def _sparse(source: np.random.Generator, region: DataRegion) -> WordArray:
    words = _uniform(source, region)
    words[source.integers(0, 8, region.length) != 0] = 0
    return words


_MAKERS: dict[Profile, Callable[[np.random.Generator, DataRegion], WordArray]] = {
    Profile.UNIFORM: _uniform,
    Profile.INT8: _int8,
    Profile.NEAR_INT8: _near_int8,
    Profile.NEAR_INT32: _near_int32,
    Profile.TIES: _ties,
    Profile.POSITIVE_TIES: _ties,
    Profile.NEGATIVE_TIES: _ties,
    Profile.SOFTMAX_TIES: _softmax_ties,
    Profile.CONSTANT: _constant,
    Profile.ONE_HOT: _one_hot,
    Profile.SPARSE: _sparse,
}
