"""Proofs about operands and results. What was overwritten before the program ended must not count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refmodel.isa.instructions import ArgMax, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from sequences.coverage_proofs.proof import Proof, program, single
from sequences.directed.directed_program import DirectedProgram

LOWEST_WORD = -(1 << 31)
SHADOW = 3000
"""An external address that holds ones and is stored to by some proofs."""


def data_proofs() -> Iterator[Proof]:
    """Yield them."""
    yield from _matrix()
    yield from _requantizer()
    yield from _vectors()


def _matrix() -> Iterator[Proof]:
    product = MatMul(1000, 0, 0, 1, 2, 1, lda=2, ldb=1, ldc=1)
    lowest = [-128, -128]
    yield single(
        "mm_result",
        ("the largest possible",),
        program([product], lowest),
        program([product], [-128, -127]),
        program([product, Load(1000, 0, 1)], lowest),
    )


def _requantize(accumulator: int, multiplier: int, shift: int, relu: bool = False) -> DirectedProgram:
    return program([Requantize(100, 0, 1, multiplier, shift, relu)], [accumulator])


def _requantizer() -> Iterator[Proof]:
    in_place = Requantize(0, 0, 1, 1, 8)
    yield single(
        "rq_accumulator",
        (str(LOWEST_WORD),),
        _requantize(LOWEST_WORD, 1, 8),
        _requantize(LOWEST_WORD + 1, 1, 8),
        program([in_place], [LOWEST_WORD]),
    )
    # Overwritten in the scratchpad, but a copy had been stored before.
    yield single(
        "rq_accumulator",
        (str(LOWEST_WORD),),
        program([Store(0, SHADOW, 1), in_place], [LOWEST_WORD]),
        program([Store(0, SHADOW, 1), in_place, Store(1, SHADOW, 1)], [LOWEST_WORD]),
    )
    yield single(
        "rq_product",
        ("33..48", "negative"),
        _requantize(-(1 << 20), 1 << 23, 40),
        _requantize(1 << 20, 1 << 23, 40),
        _requantize(-(1 << 8), 1 << 23, 40),
    )
    yield single(
        "rq_result",
        ("is 127 by itself", "no relu"),
        _requantize(127, 1, 0),
        _requantize(128, 1, 0),
        _requantize(126, 1, 0),
        _requantize(127, 1, 0, relu=True),
    )
    # 2^s is beyond signed words of 64 bits: nothing comes out, so nothing is clamped.
    yield single(
        "rq_result",
        ("is clamped from below", "relu"),
        _requantize(-1, 1, 0, relu=True),
        *(_requantize(1, 1, shift, relu=True) for shift in (0, 62, 63)),
        _requantize(-1, 1, 0),
    )
    # 2^31 times the largest mantissa has 55 bits, 2^30 times it has 54.
    yield single(
        "rq_shift_product",
        ("0", "55", "negative"),
        _requantize(LOWEST_WORD, (1 << 24) - 1, 0),
        _requantize(LOWEST_WORD // 2, (1 << 24) - 1, 0),
        _requantize(LOWEST_WORD, (1 << 24) - 1, 1),
        _requantize(-LOWEST_WORD - 1, (1 << 24) - 1, 0),
    )
    yield single(
        "rq_tie_shift",
        ("55",),
        _requantize(LOWEST_WORD, 1 << 23, 55),
        _requantize(LOWEST_WORD, (1 << 23) + 1, 55),
        _requantize(LOWEST_WORD, 1 << 23, 54),
        _requantize(LOWEST_WORD, 1 << 23, 56),
    )
    yield single(
        "rq_tie",
        ("negative", "2..22"),
        _requantize(-2, 1, 2),
        _requantize(2, 1, 2),
        _requantize(-3, 1, 2),
        _requantize(-1, 1, 1),
        _requantize(-2, 1, 2, relu=True),
    )


def _softmax(scores: Sequence[int]) -> DirectedProgram:
    return program([Softmax(100, 0, len(scores))], scores)


def _argmax(values: Sequence[int]) -> DirectedProgram:
    return program([ArgMax(100, 0, len(values))], values)


def _vectors() -> Iterator[Proof]:
    yield single(
        "sm_difference",
        ("255",),
        _softmax([127, -128]),
        _softmax([127, -127]),
        program([Softmax(0, 0, 2)], [127, -128]),
    )
    yield single(
        "sm_row",
        ("an exact tie in the last rounding",),
        _softmax([127, 127, -48, -48]),
        _softmax([127, 127, -48, 0]),
    )
    yield single(
        "sm_length_form",
        ("3..16", "several largest scores"),
        _softmax([5, 5, 1]),
        _softmax([5, 5]),
        _softmax([5, 4, 1]),
        _softmax([5, 5, 5]),
    )
    yield single(
        "sm_length_position",
        ("3..16", "inside", "tied"),
        _softmax([1, 5, 5, 1]),
        _softmax([1, 5, 4, 1]),
        _softmax([5, 5, 1, 1]),
        _softmax([5, 1, 5, 5]),
        _softmax([*[1, 5, 5], *[1] * 14]),
    )
    addition = VectorAdd(100, 0, 1, 1)
    yield single(
        "vadd_sum",
        ("128",),
        program([addition], [127, 1]),
        program([addition], [126, 1]),
        program([addition, Load(1, 0, 1)], [127, 1]),
    )
    yield single("amax_position", ("inside", "tied"), _argmax([1, 9, 9, 0]), _argmax([1, 9, 8, 0]))
    yield single(
        "amax_length_position",
        ("3..16", "the first", "tied"),
        _argmax([9, 1, 9]),
        _argmax([9, 9]),
        _argmax([9, 1, 8]),
        _argmax([1, 9, 9]),
    )
    yield single("amax_index", ("4..7",), _argmax([1, 1, 1, 1, 9]), _argmax([1, 1, 1, 9, 1]))
    yield single("amax_value", ("0",), _argmax([-1, 0, -5]), _argmax([-1, -2, -5]))
