"""Generators that take what an instruction must be: it is, and the rest of the program is legal."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.checker import check_program, refuse_errors
from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import Requantize, Softmax
from refmodel.isa.regions import footprint, partial_overlap, vector
from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.machine.trace import trace_program
from sequences.random_programs.builder import ConstraintError, ProgramBuilder
from sequences.random_programs.data_region import Profile, paint
from sequences.random_programs.draws import Draws, Purpose
from sequences.random_programs.kinds import (
    AddPlacement,
    AddressKind,
    ArgMaxPlacement,
    MatrixPlacement,
    Size,
    VectorPlacement,
)
from sequences.random_programs.legality import nothing_defined
from sequences.random_programs.matrix import MatMulConstraint, matmul
from sequences.random_programs.requantizer import RequantizeConstraint, Tie, requantize
from sequences.random_programs.transfers import TransferConstraint, load, store
from sequences.random_programs.vector_add import VectorAddConstraint, vector_add
from sequences.random_programs.vectors import ArgMaxConstraint, SoftmaxConstraint, argmax, softmax
from sequences.random_programs.weights import default_weights

seeds = st.integers(0, 1 << 32)


def _builder(seed: int, size: Size = Size.SHORT, ext_words: int = 8192) -> ProgramBuilder:
    draws = Draws(Purpose.PROGRAM, seed)
    return ProgramBuilder(
        draws, default_weights(), size, ext_words=ext_words, read_latency=1, defined=nothing_defined()
    )


def _bundle(builder: ProgramBuilder) -> Bundle:
    """Return what was built, if it is legal."""
    code = encode_program(builder.instructions)
    refuse_errors(check_program(code, builder.ext_words, nothing_defined()))
    return Bundle(code, paint(builder.ext, builder.ext_words), builder.ext_words, builder.read_latency)


@given(seeds)
def test_matrix_product_of_a_given_shape(seed: int) -> None:
    builder = _builder(seed)
    constraint = MatMulConstraint(m=4, k=64, n=1, transpose_b=True, lda=0)
    made = matmul(builder, constraint)
    assert (made.m, made.k, made.n, made.transpose_b, made.lda) == (4, 64, 1, True, 0)
    assert builder.instructions[-1] == made
    Machine(strict=True).run(_bundle(builder))


@given(seeds, st.sampled_from(MatrixPlacement), st.integers(0, 4095), st.integers(0, 4095))
def test_matrix_product_of_given_strides_and_data(
    seed: int, placement: MatrixPlacement, ldb: int, ldc: int
) -> None:
    builder = _builder(seed)
    made = matmul(builder, MatMulConstraint(ldb=ldb, ldc=ldc, placement=placement, data=Profile.NEAR_INT8))
    assert (made.ldb, made.ldc) == (ldb, ldc)
    assert {
        MatrixPlacement.ONTO_A: made.dst == made.a,
        MatrixPlacement.ONTO_B: made.dst == made.b,
        MatrixPlacement.SAME_SOURCES: made.a == made.b,
        MatrixPlacement.ALL_SAME: made.dst == made.a == made.b,
    }.get(placement, True)
    Machine(strict=True).run(_bundle(builder))


@given(seeds, st.integers(1, 55), st.sampled_from(Tie))
def test_every_word_is_an_exact_tie_of_the_given_sign(seed: int, shift: int, tie: Tie) -> None:
    builder = _builder(seed)
    constraint = RequantizeConstraint(shift=shift, tie=tie, length=9)
    if shift == 55 and tie is Tie.POSITIVE:
        with pytest.raises(ConstraintError, match="RQ: no positive tie exists with s=55"):
            requantize(builder, constraint)
        return
    made = requantize(builder, constraint)
    accumulators = _read(builder, made)
    assert made.shift == shift
    assert len(accumulators) == 9
    for accumulator in accumulators:
        # The quotient's fraction is exactly one half.
        assert abs(accumulator) * made.multiplier % (1 << shift) == 1 << (shift - 1)
        assert tie is not Tie.POSITIVE or accumulator > 0
        assert tie is not Tie.NEGATIVE or accumulator < 0


def _read(builder: ProgramBuilder, made: Requantize) -> list[int]:
    """Return the accumulators that the last instruction read, an RQ."""
    (words,) = trace_program(_bundle(builder)).instructions[-1].reads
    assert builder.instructions[-1] == made
    values: list[int] = words.words.view(np.int32).tolist()
    return values


@pytest.mark.parametrize(("multiplier", "shift"), [(0, 8), (8, 3), (1, 33), (1, 0), (1 << 23, 56)])
def test_scales_without_ties_are_refused(multiplier: int, shift: int) -> None:
    constraint = RequantizeConstraint(multiplier=multiplier, shift=shift, tie=Tie.BOTH)
    with pytest.raises(ConstraintError, match=f"no both tie exists with m={multiplier} s={shift}"):
        requantize(_builder(1), constraint)


@pytest.mark.parametrize("shift", [0, 56, 63])
def test_shifts_without_ties_are_refused(shift: int) -> None:
    with pytest.raises(ConstraintError, match=f"exists with s={shift}, whatever m is"):
        requantize(_builder(1), RequantizeConstraint(shift=shift, tie=Tie.NEGATIVE))


@given(seeds, st.integers(1, 4095), st.sampled_from(VectorPlacement), st.sampled_from(AddressKind))
def test_vectors_lie_where_they_must(
    seed: int, length: int, placement: VectorPlacement, address: AddressKind
) -> None:
    makers: tuple[Callable[[ProgramBuilder], Requantize | Softmax], ...] = (
        partial(requantize, constraint=RequantizeConstraint(length, placement=placement, address=address)),
        partial(softmax, constraint=SoftmaxConstraint(length, placement, address)),
    )
    for make in makers:
        builder = _builder(seed)
        if length > 2048 and placement is not VectorPlacement.IN_PLACE:
            with pytest.raises(ConstraintError, match=f"{length} words cannot be {placement}"):
                make(builder)
            continue
        made = make(builder)
        assert made.length == length
        distance = (made.dst - made.src) % 4096
        assert (distance == 0) == (placement is VectorPlacement.IN_PLACE)
        assert placement is not VectorPlacement.ADJACENT or distance in (length, 4096 - length)
        assert vector(made.src, length).wraps == (address is AddressKind.WRAPPING and length > 1)
        assert (made.src == 0) or address is not AddressKind.FIRST
        assert (made.src + length == 4096) or address is not AddressKind.LAST
        Machine(strict=True).run(_bundle(builder))


@given(seeds, st.integers(1, 4095), st.sampled_from(AddPlacement))
def test_additions_lie_where_they_must(seed: int, length: int, placement: AddPlacement) -> None:
    builder = _builder(seed)
    overlapping = placement is AddPlacement.OVERLAPPING_SOURCES
    if (length > 2048 and placement is not AddPlacement.ALL_SAME) or (overlapping and length in (1, 2048)):
        with pytest.raises(ConstraintError, match=f"there is no room for {placement}"):
            vector_add(builder, VectorAddConstraint(length, placement))
        return
    made = vector_add(builder, VectorAddConstraint(length, placement))
    same = (made.dst == made.src1, made.dst == made.src2, made.src1 == made.src2)
    assert {
        AddPlacement.ALL_SAME: same == (True, True, True),
        AddPlacement.ONTO_FIRST: same == (True, False, False),
        AddPlacement.ONTO_SECOND: same == (False, True, False),
        AddPlacement.SAME_SOURCES: same == (False, False, True),
        AddPlacement.OVERLAPPING_SOURCES: same == (False, False, False)
        and min((made.src1 - made.src2) % 4096, (made.src2 - made.src1) % 4096) < length,
        AddPlacement.APART: not same[0] and not same[1],
    }[placement]
    assert partial_overlap(footprint(made)) is None
    Machine(strict=True).run(_bundle(builder))


@given(seeds, st.integers(1, 4095), st.sampled_from(AddressKind), st.sampled_from(AddressKind))
def test_transfers_lie_where_they_must(
    seed: int, length: int, scratchpad: AddressKind, external: AddressKind
) -> None:
    builder = _builder(seed, ext_words=65536)
    constraint = TransferConstraint(length, scratchpad, external)
    loaded, stored = load(builder, constraint), store(builder, constraint)
    for inside, outside in ((loaded.dst, loaded.src), (stored.src, stored.dst)):
        assert (inside + length > 4096) == (scratchpad is AddressKind.WRAPPING and length > 1)
        assert (outside + length > 65536) == (external is AddressKind.WRAPPING and length > 1)
    Machine(strict=True).run(_bundle(builder))


@given(seeds, st.integers(1, 4095))
def test_a_maximum_lands_inside_its_source(seed: int, length: int) -> None:
    builder = _builder(seed)
    made = argmax(builder, ArgMaxConstraint(length, ArgMaxPlacement.INSIDE, data=Profile.CONSTANT))
    assert (made.dst - made.src) % 4096 < length
    Machine(strict=True).run(_bundle(builder))


def test_illegal_constraints_are_refused() -> None:
    with pytest.raises(ConstraintError, match=r"M is 5, legal is 1\.\.4"):
        matmul(_builder(1), MatMulConstraint(m=5))
