"""What the instruction stream and its log hit, whatever it computes: every bin's edges, told by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from refmodel.isa.encoding import encode, encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.machine.bundle import Bundle
from verif.coverage.executed_program import End, executed_program
from verif.coverage.prediction import predicted
from verif.coverage.samplers import instructions
from verif.coverage.tests.hits import MODEL, Names, of_instructions, of_program, of_sampler

FULL = np.ones(SCRATCHPAD_WORDS, np.uint32)
VECTORS: tuple[Any, ...] = (
    Load(0, 0, 4), Store(0, 0, 4), Requantize(0, 10, 4, 1, 1), Softmax(0, 10, 4), VectorAdd(0, 10, 20, 4),
    ArgMax(0, 10, 4),
)  # fmt: skip
PRODUCT = MatMul(1000, 0, 500, 2, 3, 4, lda=3, ldb=4, ldc=4)


def of_code(item: str, code: Sequence[int], ext_words: int = EXT_ADDRESS_WORDS) -> set[Names]:
    """Return the bins that instruction words hit, HALT included where they have one."""
    return of_program(item, predicted(Bundle(tuple(code), FULL, ext_words, scratchpad=FULL)))


@pytest.mark.parametrize(
    ("length", "bin_name"),
    [
        (1, "1"), (2, "2"), (3, "3..7"), (7, "3..7"), (8, "8..63"), (63, "8..63"), (64, "64..511"),
        (511, "64..511"), (512, "512..4094"), (4094, "512..4094"), (4095, "4095"),
    ],
)  # fmt: skip
def test_sizes(length: int, bin_name: str) -> None:
    program: list[Instruction] = [Load(0, 0, length), Softmax(0, 0, length), Store(0, 0, length), PRODUCT]
    assert of_instructions("opcode_size", program) == {(each, bin_name) for each in ("LD", "SM", "ST")}


def test_every_pair_counts_from_the_start_to_the_halt() -> None:
    found = of_instructions("opcode_pair", [Load(0, 0, 1), PRODUCT, PRODUCT])
    assert found == {("start", "LD"), ("LD", "MM"), ("MM", "MM"), ("MM", "HALT")}
    faulty = encode_program([Load(0, 0, 1), Illegal(15)])
    assert of_code("opcode_pair", faulty) == {("start", "LD")}


@pytest.mark.parametrize(
    "operand",
    [
        "LD dst", "ST src", "RQ src", "RQ dst", "SM src", "SM dst", "VADD src1", "VADD src2", "VADD dst",
        "AMAX src",
    ],
)  # fmt: skip
def test_vectors_at_the_end_of_the_scratchpad(operand: str) -> None:
    opcode, _, name = operand.partition(" ")
    (instruction,) = [each for each in VECTORS if each.opcode.name == opcode]
    for start, place in ((4091, "inside"), (4092, "up to the last word"), (4093, "across the end")):
        found = of_instructions("address_wrap", [replace(instruction, **{name: start})], FULL)
        assert (operand, place) in found
        assert {names[1] for names in found - {(operand, place)}} <= {"inside"}


@pytest.mark.parametrize(
    ("at", "place"), [(4091, "inside"), (4092, "up to the last word"), (4093, "across the end")]
)
def test_tiles_at_the_end_of_the_scratchpad(at: int, place: str) -> None:
    """Each tile spans 4 words: 2 by 2 of stride 2."""
    for operand, product in (
        ("MM A", MatMul(100, at, 50, 2, 2, 2, lda=2, ldb=2, ldc=2)),
        ("MM B", MatMul(100, 50, at, 2, 2, 2, lda=2, ldb=2, ldc=2)),
        ("MM B transposed", MatMul(100, 50, at, 2, 2, 2, transpose_b=True, lda=2, ldb=2, ldc=2)),
        ("MM dst", MatMul(at, 50, 100, 2, 2, 2, lda=2, ldb=2, ldc=2)),
    ):
        found = of_instructions("address_wrap", [product], FULL)
        assert (operand, place) in found
        assert len(found) == 3


@pytest.mark.parametrize(
    ("start", "place"), [(65531, "inside"), (65532, "up to the last word"), (65533, "across the end")]
)
def test_external_vectors_at_the_end_of_their_memory(start: int, place: str) -> None:
    code = encode_program([Load(0, start, 4), Store(0, start, 4), Halt()])
    found = of_code("address_wrap", code)
    assert found == {("LD src", place), ("ST dst", place), ("LD dst", "inside"), ("ST src", "inside")}


def test_the_word_of_an_argmax_at_the_end() -> None:
    for dst, place in ((4094, "inside"), (4095, "up to the last word")):
        assert ("AMAX dst", place) in of_instructions("address_wrap", [ArgMax(dst, 0, 4)], FULL)


def test_reserved_bits_count_for_the_opcode_whose_word_has_them() -> None:
    load, store = encode(Load(0, 0, 1)), encode(Store(0, 0, 1))
    assert of_code("reserved_bits", [load, store, 0]) == set()
    assert of_code("reserved_bits", [load | 1, store, 0]) == {"LD"}
    assert of_code("reserved_bits", [load, store | 1 << 123, 1 << 5]) == {"ST", "HALT"}
    assert of_code("reserved_bits", [load | 1, encode(Illegal(15)) | 1]) == {"LD"}


def test_ends() -> None:
    work = encode(Load(0, 0, 1))
    assert of_code("program_end", [work, 0]) == {"an all-zero word"}
    assert of_code("program_end", [work, 1]) == {"a HALT with other bits set"}
    assert of_code("program_end", [work]) == {"the end of its code"}
    assert of_code("program_end", [work, encode(Illegal(15))]) == set()


@pytest.mark.parametrize(
    ("count", "bin_name"),
    [
        (0, "0"), (1, "1"), (2, "2..15"), (15, "2..15"), (16, "16..127"), (127, "16..127"),
        (128, "128..4096"), (4096, "128..4096"), (4097, "4097..65535"),
    ],
)  # fmt: skip
def test_lengths_of_programs(count: int, bin_name: str) -> None:
    assert of_instructions("program_length", [Load(0, 0, 1)] * count) == {bin_name}


def test_a_program_that_rst_cut_has_no_end() -> None:
    code = b"".join(word.to_bytes(16, "little") for word in encode_program([Load(0, 0, 1), Halt()]))
    log = np.array([[0, 1, 0, 10, 0]], np.int64).tobytes()
    program = executed_program(code, log, End.RESET, False, 8192)
    expected: dict[str, set[Names]] = {
        "program_end": set(),
        "program_length": set(),
        "opcode_pair": {("start", "LD")},
    }
    for item, bins in expected.items():
        assert of_sampler(item, instructions.sample(MODEL, program)) == bins


@pytest.mark.parametrize(("completed", "bins"), [(65535, set()), (65536, {"65536..131071"})])
def test_a_program_that_rst_cut_counts_once_its_pc_has_wrapped(completed: int, bins: set[Names]) -> None:
    code = encode(Store(0, 0, 1)).to_bytes(16, "little") * completed + bytes(16)
    log = np.array([[0, 2, 0, 3, 0]] * completed, np.int64).tobytes()
    program = executed_program(code, log, End.RESET, False, 8192)
    assert of_sampler("program_length", instructions._end(MODEL, program)) == bins


FAULTS: list[tuple[Instruction, set[str]]] = [
    *((Illegal(opcode), {f"opcode {opcode}"}) for opcode in range(len(Opcode), 16)),
    (Load(0, 0, 0), {"LD of 0 words"}), (Load(0, 0, 4096), {"LD that is too long"}),
    (Softmax(0, 0, 0), {"SM of 0 words"}), (VectorAdd(0, 0, 0, 65535), {"VADD that is too long"}),
    (MatMul(0, 0, 0, 0, 1, 1), {"MM with M = 0"}), (MatMul(0, 0, 0, 5, 1, 1), {"MM with M above 4"}),
    (MatMul(0, 0, 0, 1, 1, 0), {"MM with N = 0"}), (MatMul(0, 0, 0, 1, 1, 5), {"MM with N above 4"}),
    (MatMul(0, 0, 0, 1, 0, 1), {"MM with K = 0"}), (MatMul(0, 0, 0, 1, 65, 1), {"MM with K above 64"}),
    (MatMul(0, 0, 0, 0, 65, 255), {"MM with M = 0", "MM with K above 64", "MM with N above 4"}),
]  # fmt: skip


@pytest.mark.parametrize(("word", "kinds"), FAULTS)
def test_faults(word: Instruction, kinds: set[str]) -> None:
    for before, position in ((0, "0"), (1, "1..7"), (7, "1..7"), (8, "8..4095")):
        code = encode_program([*[Load(0, 0, 1)] * before, word, Halt()])
        assert of_code("fault_position", code) == {(kind, position) for kind in kinds}


@pytest.mark.parametrize(
    ("length", "latency", "bins", "relation"),
    [
        (1, 1, ("1", "1"), "as many"), (2, 1, ("1", "2..8"), "more"), (8, 2, ("2..7", "2..8"), "more"),
        (9, 7, ("2..7", "9..64"), "more"), (8, 8, ("8", "2..8"), "as many"),
        (64, 9, ("9..63", "9..64"), "more"),
        (65, 63, ("9..63", "65..4095"), "more"), (63, 64, ("64..255", "9..64"), "fewer"),
        (4095, 255, ("64..255", "65..4095"), "more"), (65, 256, ("256..4094", "65..4095"), "fewer"),
        (1, 4094, ("256..4094", "1"), "fewer"), (1, 4095, ("4095", "1"), "fewer"),
    ],
)  # fmt: skip
def test_latencies(length: int, latency: int, bins: tuple[str, str], relation: str) -> None:
    program = [Load(0, 0, length)]
    assert of_instructions("load_latency", program, read_latency=latency) == {bins}
    assert of_instructions("load_overlap", program, read_latency=latency) == {relation}
