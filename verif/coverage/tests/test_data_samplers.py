"""What operands and results hit: every bin's edges, told by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from refmodel.isa.instructions import ArgMax, Instruction, MatMul, Requantize, Softmax, VectorAdd
from verif.coverage.tests.hits import Names, of_instructions

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
LARGEST_MULTIPLIER = (1 << 24) - 1


def requantized(
    item: str, accumulator: int, multiplier: int = 1, shift: int = 0, relu: bool = False
) -> set[Names]:
    return of_instructions(item, [Requantize(100, 0, 1, multiplier, shift, relu)], [accumulator])


@pytest.mark.parametrize(
    ("accumulator", "bin_name"),
    [
        (LOWEST, "-2147483648"), (LOWEST + 1, "-2147483647..-2"), (-2, "-2147483647..-2"), (-1, "-1"),
        (0, "0"), (1, "1"), (2, "2..2147483646"), (HIGHEST - 1, "2..2147483646"), (HIGHEST, "2147483647"),
    ],
)  # fmt: skip
def test_accumulators(accumulator: int, bin_name: str) -> None:
    assert requantized("rq_accumulator", accumulator) == {bin_name}


@pytest.mark.parametrize(
    ("accumulator", "multiplier", "bits"),
    [
        (1, 1, "1..16"), ((1 << 16) - 1, 1, "1..16"), (1 << 16, 1, "17..31"), (HIGHEST, 1, "17..31"),
        (LOWEST, 1, "32"), ((1 << 16) - 1, (1 << 16) + 1, "32"), (1 << 30, 4, "33..48"),
        (1 << 24, LARGEST_MULTIPLIER, "33..48"), (1 << 25, 1 << 23, "49..55"),
        (LOWEST, LARGEST_MULTIPLIER, "49..55"),
    ],
)  # fmt: skip
def test_lengths_of_products(accumulator: int, multiplier: int, bits: str) -> None:
    sign = "negative" if accumulator < 0 else "positive"
    assert requantized("rq_product", accumulator, multiplier, 63) == {(bits, sign)}


def test_a_product_of_0_has_no_length() -> None:
    assert requantized("rq_product", 0, 5) == requantized("rq_product", 5, 0) == set()


@pytest.mark.parametrize(
    ("value", "plain", "with_relu"),
    [
        (128, "is clamped to 127", "is clamped to 127"),
        (127, "is 127 by itself", "is 127 by itself"),
        (126, "lies inside", "lies inside"),
        (0, "lies inside", "lies inside"),
        (-1, "lies inside", "is clamped from below"),
        (-126, "lies inside", "is clamped from below"),
        (-127, "is -127 by itself", "is clamped from below"),
        (-128, "is clamped from below", "is clamped from below"),
    ],
)
def test_results_at_the_clamps(value: int, plain: str, with_relu: str) -> None:
    assert requantized("rq_result", value) == {(plain, "no relu")}
    assert requantized("rq_result", value, relu=True) == {(with_relu, "relu")}
    assert requantized("rq_result", 4 * value, 1 << 20, 22) == {(plain, "no relu")}


@pytest.mark.parametrize("shift", [56, 62, 63])
@pytest.mark.parametrize("accumulator", [LOWEST, -1, 1, HIGHEST])
def test_what_a_long_shift_leaves_is_0(shift: int, accumulator: int) -> None:
    for relu, name in ((False, "no relu"), (True, "relu")):
        found = requantized("rq_result", accumulator, LARGEST_MULTIPLIER, shift, relu)
        assert found == {("lies inside", name)}


@pytest.mark.parametrize(
    ("accumulator", "multiplier", "shift", "bin_name"),
    [
        (3, 1, 1, "1"), (2, 1, 2, "2..22"), (1 << 21, 1, 22, "2..22"), (1 << 22, 3, 23, "23..31"),
        (1 << 30, 1, 31, "23..31"), (1 << 30, 2, 32, "32..55"), (LOWEST, 1 << 23, 55, "32..55"),
    ],
)  # fmt: skip
def test_exact_ties(accumulator: int, multiplier: int, shift: int, bin_name: str) -> None:
    for value in {accumulator, -accumulator} - {-LOWEST}:
        sign = "negative" if value < 0 else "positive"
        assert requantized("rq_tie", value, multiplier, shift) == {(sign, bin_name)}
        assert requantized("rq_tie", value, multiplier, shift + 1) == set()


@pytest.mark.parametrize(
    ("accumulator", "shift", "relu"), [(255, 1, False), (-255, 1, False), (-3, 1, True), (3, 0, False)]
)
def test_a_tie_that_does_not_show_is_none(accumulator: int, shift: int, relu: bool) -> None:
    assert requantized("rq_tie", accumulator, 1, shift, relu) == set()


@pytest.mark.parametrize(
    ("scores", "forms"),
    [
        ([5], {"one element"}),
        ([5, 5], {"all scores equal"}),
        ([5, 4], {"one largest score"}),
        ([4, 5, 5], {"several largest scores"}),
        ([127, -127], {"one largest score"}),
        ([-128, 127], {"one largest score", "the widest difference"}),
        ([127, 127, -48, -48], {"several largest scores", "an exact tie in the last rounding"}),
    ],
)
def test_softmax_rows(scores: list[int], forms: set[Names]) -> None:
    assert of_instructions("sm_row", [Softmax(100, 0, len(scores))], scores) == forms
    differences = {str(max(scores) - score) for score in scores}
    assert of_instructions("sm_difference", [Softmax(100, 0, len(scores))], scores) == differences


def test_rows_are_told_apart() -> None:
    rows: list[Instruction] = [Softmax(100, 0, 1), Softmax(200, 1, 2), ArgMax(300, 0, 1), ArgMax(301, 1, 2)]
    assert of_instructions("sm_row", rows, [9, 5, 5]) == {"one element", "all scores equal"}
    assert of_instructions("sm_difference", rows, [9, 5, 5]) == {"0"}
    found = of_instructions("amax_position", rows, [9, 5, 5])
    assert found == {("the only element", "unique"), ("the first", "tied")}


@pytest.mark.parametrize("destination", [1, 2])
def test_a_row_that_lost_a_word_does_not_count(destination: int) -> None:
    for row in (Softmax(100, 0, 2), ArgMax(100, 0, 2)):
        item = "sm_row" if isinstance(row, Softmax) else "amax_value"
        overwriting = VectorAdd(destination, 50, 60, 1)
        assert bool(of_instructions(item, [row, overwriting], [3, 3])) == (destination == 2)


@pytest.mark.parametrize(
    ("values", "position", "tie"),
    [
        ([1], "the only element", "unique"), ([9, 1], "the first", "unique"), ([9, 9], "the first", "tied"),
        ([1, 9, 1], "inside", "unique"), ([1, 9, 9], "inside", "tied"), ([1, 9], "the last", "unique"),
        ([1, 1, 9], "the last", "unique"),
    ],
)  # fmt: skip
def test_where_the_maximum_stands(values: list[int], position: str, tie: str) -> None:
    assert of_instructions("amax_position", [ArgMax(100, 0, len(values))], values) == {(position, tie)}


@pytest.mark.parametrize(
    ("scores", "position", "tie"),
    [
        ([9, 1], "the first", "unique"), ([9, 9], "the first", "tied"), ([1, 9, 1], "inside", "unique"),
        ([1, 9, 9], "inside", "tied"), ([1, 9], "the last", "unique"), ([1, 1, 9], "the last", "unique"),
        ([-1, 9, 9, 9], "inside", "tied"), ([9, 1, 9], "the first", "tied"),
    ],
)  # fmt: skip
def test_where_the_largest_score_stands(scores: list[int], position: str, tie: str) -> None:
    length = "2" if len(scores) == 2 else "3..16"
    rows = [Softmax(100, 0, len(scores)), Softmax(200, 0, 1)]
    assert of_instructions("sm_length_position", rows, scores) == {(length, position, tie)}


@pytest.mark.parametrize(
    ("largest", "bin_name"),
    [
        (LOWEST, "-2147483648"), (LOWEST + 1, "-2147483647..-1"), (-1, "-2147483647..-1"), (0, "0"),
        (1, "1..2147483646"), (HIGHEST - 1, "1..2147483646"), (HIGHEST, "2147483647"),
    ],
)  # fmt: skip
def test_values_of_the_maximum(largest: int, bin_name: str) -> None:
    assert of_instructions("amax_value", [ArgMax(100, 0, 2)], [LOWEST, largest]) == {bin_name}


@pytest.mark.parametrize(
    ("left", "right", "bin_name"),
    [
        (-128, -128, "-256"), (-128, -127, "-255..-129"), (-128, -1, "-255..-129"), (-127, -1, "-128"),
        (-126, -1, "-127"), (-126, 0, "-126..126"), (63, 63, "-126..126"), (127, 0, "127"), (127, 1, "128"),
        (127, 2, "129..253"), (127, 126, "129..253"), (127, 127, "254"), (0x17F, 0x7F01, "128"),
    ],
)  # fmt: skip
def test_sums(left: int, right: int, bin_name: str) -> None:
    assert of_instructions("vadd_sum", [VectorAdd(100, 0, 1, 1)], [left, right]) == {bin_name}


@pytest.mark.parametrize(
    ("a", "b", "bin_name"),
    [
        ([-128, -128], [-128, -128], "the largest possible"), ([-128, -127], [-128, -128], "positive"),
        ([-128, -128], [127, 127], "the lowest possible"), ([-128, 0], [127, 0], "negative"),
        ([-128, -127], [127, 127], "negative"), ([1, -1], [1, 1], "zero"),
    ],
)  # fmt: skip
def test_elements_of_products(a: Sequence[int], b: Sequence[int], bin_name: str) -> None:
    product = MatMul(100, 0, 2, 1, 2, 1, lda=2, ldb=1, ldc=1)
    assert of_instructions("mm_result", [product], [*a, *b]) == {bin_name}


def test_an_element_that_a_later_row_overwrote_does_not_count() -> None:
    """Both rows of C go to one word: only the second, which is negative, stays."""
    product = MatMul(100, 0, 2, 2, 1, 1, lda=1, ldb=1, ldc=0)
    assert of_instructions("mm_result", [product], [1, -1, 1]) == {"negative"}
