"""Proofs about the instruction stream, whatever it computes."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.encoding import encode, encode_program
from refmodel.isa.instructions import ArgMax, Halt, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from sequences.coverage_proofs.proof import Proof, of_code, program, single

RESERVED_BIT = 1 << 18
"""A bit that AMAX does not use."""


def instruction_proofs() -> Iterator[Proof]:
    """Yield them."""
    requantize, softmax = Requantize(200, 0, 3, 1, 1), Softmax(100, 0, 3)
    yield single(
        "opcode_size",
        ("SM", "3..7"),
        program([softmax]),
        program([Softmax(100, 0, 8)]),
        program([requantize]),
    )
    yield single("opcode_pair", ("RQ", "SM"), program([requantize, softmax]), program([softmax, requantize]))
    yield single(
        "address_wrap",
        ("VADD src2", "across the end"),
        program([VectorAdd(100, 200, 4090, 20)]),
        program([VectorAdd(100, 4090, 200, 20)]),
        program([VectorAdd(100, 200, 4076, 20)]),
    )
    argmax = encode(ArgMax(100, 0, 4))
    yield single(
        "reserved_bits", ("AMAX",), of_code([argmax | RESERVED_BIT, 0]), of_code([argmax, RESERVED_BIT])
    )
    work = encode_program([Load(0, 0, 4)])
    yield single("program_end", ("the end of its code",), of_code(work), of_code([*work, 0]))
    yield single("program_length", ("1",), program([softmax]), program([]), program([softmax, softmax]))
    yield from _neighbours()
    yield from _matrix()
    yield from _vectors()
    yield from _faults()


def _neighbours() -> Iterator[Proof]:
    add, scale = VectorAdd(100, 0, 10, 4), Requantize(200, 103, 1, 1, 1)
    yield single(
        "data_hazard",
        ("read after write", "VADD", "RQ"),
        program([add, scale]),
        program([add, Requantize(200, 104, 1, 1, 1)]),
        program([scale, add]),
        program([add, Load(300, 0, 4), scale]),
    )
    yield single(
        "data_hazard",
        ("write after read", "LD", "ST"),
        program([Load(0, 100, 4), Store(10, 103, 1)]),
        program([Load(0, 100, 4), Store(10, 104, 1)]),
        program([Load(100, 0, 4), Store(10, 100, 4)]),
    )
    # A pc of 1 ends in one 1, a pc of 3 in two.
    yield single(
        "pc_carry",
        ("1", "VADD", "RQ"),
        program([add, add, scale]),
        program([add, scale]),
        program([add, add, add, add, scale]),
        program([scale, scale, add]),
    )


def _matrix() -> Iterator[Proof]:
    yield single(
        "mm_shape",
        ("2", "3", "16..63", "transposed"),
        program([MatMul(1000, 0, 100, 2, 16, 3, transpose_b=True, lda=16, ldb=16, ldc=3)]),
        program([MatMul(1000, 0, 100, 2, 16, 3, lda=16, ldb=3, ldc=3)]),
        program([MatMul(1000, 0, 100, 3, 16, 2, transpose_b=True, lda=16, ldb=16, ldc=2)]),
    )
    yield single(
        "mm_stride",
        ("transposed B", "rows that overlap"),
        program([MatMul(1000, 0, 100, 2, 8, 3, transpose_b=True, lda=8, ldb=7, ldc=3)]),
        program([MatMul(1000, 0, 100, 2, 8, 3, transpose_b=True, lda=7, ldb=8, ldc=2)]),
        program([MatMul(1000, 0, 100, 2, 8, 1, transpose_b=True, lda=8, ldb=7, ldc=1)]),
    )
    yield single(
        "mm_alias",
        ("A and B", "some words"),
        program([MatMul(1000, 0, 15, 4, 4, 4, lda=4, ldb=4, ldc=4)]),
        program([MatMul(1000, 0, 16, 4, 4, 4, lda=4, ldb=4, ldc=4)]),
        program([MatMul(1000, 0, 0, 4, 4, 4, lda=4, ldb=4, ldc=4)]),
    )


def _vectors() -> Iterator[Proof]:
    yield single(
        "rq_shift",
        ("55", "relu"),
        program([Requantize(100, 0, 4, 1, 55, relu=True)]),
        program([Requantize(100, 0, 4, 1, 55), Requantize(100, 0, 4, 1, 54, relu=True)]),
    )
    yield single(
        "rq_multiplier",
        ("8388608",),
        program([Requantize(100, 0, 4, 1 << 23, 1)]),
        program([Requantize(100, 0, 4, (1 << 23) + 1, 1)]),
    )
    yield single("sm_length", ("2",), program([Softmax(100, 0, 2)]), program([Softmax(100, 0, 3)]))
    yield single(
        "vadd_placement",
        ("onto src2", "lie apart"),
        program([VectorAdd(200, 100, 200, 9)]),
        program([VectorAdd(100, 100, 200, 9)]),
    )
    yield single(
        "place_of_result",
        ("AMAX", "in its source"),
        program([ArgMax(8, 0, 9)]),
        program([ArgMax(9, 0, 9)]),
    )


def _faults() -> Iterator[Proof]:
    good, bad = MatMul(0, 0, 0, 1, 64, 1), MatMul(0, 0, 0, 1, 65, 1)
    work = Store(0, 0, 4)
    yield single(
        "fault_position",
        ("MM with K above 64", "1..7"),
        of_code(encode_program([work, bad, Halt()])),
        of_code(encode_program([work, good, Halt()])),
        of_code(encode_program([bad, Halt()])),
    )
