"""What sizes, strides and places of operands hit, whatever their data: every bin's edges, told by hand."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.isa.instructions import ArgMax, MatMul, Requantize, Softmax, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from verif.coverage.tests.hits import of_instructions

FULL = np.ones(SCRATCHPAD_WORDS, np.uint32)


@pytest.mark.parametrize(
    ("depth", "bin_name"), [(1, "1"), (2, "2..15"), (15, "2..15"), (16, "16..63"), (63, "16..63"), (64, "64")]
)
def test_shapes_of_products(depth: int, bin_name: str) -> None:
    for transposed, order in ((False, "plain"), (True, "transposed")):
        product = MatMul(1000, 0, 500, 2, depth, 3, transposed, lda=1, ldb=1, ldc=1)
        assert of_instructions("mm_shape", [product]) == {("2", "3", bin_name, order)}


@pytest.mark.parametrize(
    ("further", "name"),
    [(-9, "stride 0"), (-1, "rows that overlap"), (0, "dense rows"), (1, "gaps between rows"),
     (4094, "gaps between rows"), (4095, "the largest stride")],
)  # fmt: skip
def test_strides(further: int, name: str) -> None:
    """`further` than dense; A has rows of 3 words, B of 2 and C of 2, B transposed of 3."""

    def stride(row: int) -> int:
        return min(max(row + further, 0), 4095 if further == 4095 else 4094)

    plain = MatMul(0, 0, 0, 4, 3, 2, lda=stride(3), ldb=stride(2), ldc=stride(2))
    assert of_instructions("mm_stride", [plain]) == {("A", name), ("B", name), ("C", name)}
    transposed = MatMul(0, 0, 0, 4, 3, 2, transpose_b=True, lda=3, ldb=stride(3), ldc=2)
    assert ("transposed B", name) in of_instructions("mm_stride", [transposed])


def test_a_stride_between_no_rows_does_not_count() -> None:
    row = MatMul(0, 0, 0, 1, 1, 2, lda=5, ldb=5, ldc=5)
    assert of_instructions("mm_stride", [row]) == set()
    column = MatMul(0, 0, 0, 1, 2, 1, transpose_b=True, lda=5, ldb=5, ldc=5)
    assert of_instructions("mm_stride", [column]) == set()


@pytest.mark.parametrize(
    ("dst", "a", "b", "relations"),
    [
        (100, 0, 50, ("no", "no", "no")), (4, 0, 50, ("no", "no", "no")), (3, 0, 50, ("some", "no", "no")),
        (0, 0, 50, ("all", "no", "no")), (4095, 0, 50, ("some", "no", "no")),
        (50, 0, 50, ("no", "all", "no")), (100, 7, 7, ("no", "no", "all")),
        (100, 7, 10, ("no", "no", "some")), (9, 9, 9, ("all", "all", "all")),
    ],
)  # fmt: skip
def test_operands_that_share_words(dst: int, a: int, b: int, relations: tuple[str, str, str]) -> None:
    """All three are 2 by 2."""
    product = MatMul(dst, a, b, 2, 2, 2, lda=2, ldb=2, ldc=2)
    pairs = ("C and A", "C and B", "A and B")
    expected = {(pair, f"{each} words") for pair, each in zip(pairs, relations, strict=True)}
    assert of_instructions("mm_alias", [product]) == expected


def test_a_tile_within_another_shares_some_words() -> None:
    for product in (
        MatMul(1, 0, 50, 2, 4, 1, lda=4, ldb=1, ldc=1),  # C in A
        MatMul(0, 1, 50, 2, 1, 4, lda=1, ldb=4, ldc=4),  # A in C
    ):
        assert ("C and A", "some words") in of_instructions("mm_alias", [product])


@pytest.mark.parametrize(
    ("dst", "src1", "src2", "bins"),
    [
        (500, 0, 9, ("apart", "lie apart")), (500, 0, 8, ("apart", "overlap in part")),
        (500, 8, 0, ("apart", "overlap in part")), (500, 9, 0, ("apart", "lie apart")),
        (500, 0, 4088, ("apart", "overlap in part")), (500, 0, 4087, ("apart", "lie apart")),
        (500, 4090, 1, ("apart", "overlap in part")), (500, 7, 7, ("apart", "are the same")),
        (0, 0, 9, ("onto src1", "lie apart")), (9, 0, 9, ("onto src2", "lie apart")),
        (0, 0, 0, ("onto both", "are the same")),
    ],
)  # fmt: skip
def test_places_of_additions(dst: int, src1: int, src2: int, bins: tuple[str, str]) -> None:
    assert of_instructions("vadd_placement", [VectorAdd(dst, src1, src2, 9)], FULL) == {bins}


@pytest.mark.parametrize(
    ("dst", "inside"), [(4090, True), (4095, True), (2, True), (3, False), (4089, False)]
)
def test_an_argmax_into_its_source(dst: int, inside: bool) -> None:
    place = "in its source" if inside else "apart from its source"
    assert of_instructions("place_of_result", [ArgMax(dst, 4090, 9)], FULL) == {("AMAX", place)}


@pytest.mark.parametrize(
    ("length", "bin_name"),
    [
        (1, "1"), (2, "2"), (3, "3..4"), (4, "3..4"), (5, "5..16"), (16, "5..16"), (17, "17..64"),
        (64, "17..64"), (65, "65..256"), (256, "65..256"), (257, "257..1024"), (1024, "257..1024"),
        (1025, "1025..4094"), (4094, "1025..4094"), (4095, "4095"),
    ],
)  # fmt: skip
def test_lengths_of_softmaxes(length: int, bin_name: str) -> None:
    assert of_instructions("sm_length", [Softmax(0, 0, length)], FULL) == {bin_name}
    assert of_instructions("place_of_result", [Softmax(0, 0, length)], FULL) == {("SM", "in its source")}


@pytest.mark.parametrize(
    ("multiplier", "bin_name"),
    [
        (0, "0"), (1, "1"), (2, "2..8388607"), ((1 << 23) - 1, "2..8388607"), (1 << 23, "8388608"),
        ((1 << 23) + 1, "8388609..16777214"), ((1 << 24) - 2, "8388609..16777214"),
        ((1 << 24) - 1, "16777215"),
    ],
)  # fmt: skip
def test_settings_of_the_requantizer(multiplier: int, bin_name: str) -> None:
    for shift, relu, name in ((0, False, "no relu"), (63, True, "relu")):
        program = [Requantize(8, 0, 8, multiplier, shift, relu)]
        assert of_instructions("rq_multiplier", program) == {bin_name}
        assert of_instructions("rq_shift", program) == {(str(shift), name)}
        assert of_instructions("place_of_result", program) == {("RQ", "apart from its source")}
