"""The features of random programs, told from their instructions and from what the machine computes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import ArgMax, Instruction, MatMul, Opcode, Requantize, Softmax, VectorAdd
from refmodel.isa.regions import footprint, matrix_a, matrix_b, matrix_c, vector
from refmodel.machine.bundle import Bundle
from refmodel.machine.memory import LOW_BYTE, SIGNED_WORD, MachineMemory
from refmodel.machine.operations import bind
from refmodel.numerics.integer import softmax_exponentials
from sequences.random_programs import RandomProgram
from sequences.stimulus import Stimulus


class FeatureFinder:
    """Runs the programs of a seed one after another and tells what each reaches; resets are not modelled."""

    def __init__(self) -> None:
        self._memory = MachineMemory()

    def features(self, program: RandomProgram) -> Iterator[str]:
        yield from _program_features(program)
        yield from _stimulus_features(program.stimulus, program.decoded.counters.cyc_total)
        self._load(program.bundle())
        for instruction in program.decoded.instructions:
            name = Opcode(instruction.opcode).name
            yield from (f"{name} {feature}" for feature in _operand_features(instruction))
            yield from (f"{name} {feature}" for feature in self._data_features(instruction))
            bind(instruction, self._memory)()

    def _load(self, bundle: Bundle) -> None:
        self._memory.load_ext(bundle.ext, bundle.ext_words)
        if bundle.scratchpad is not None:
            self._memory.scratchpad[:] = 0
            self._memory.scratchpad[: len(bundle.scratchpad)] = bundle.scratchpad

    def _data_features(self, instruction: Instruction) -> Iterator[str]:
        memory = self._memory
        match instruction:
            case Requantize(src=src, length=length):
                words = memory.scratchpad_reader(vector(src, length), SIGNED_WORD)()
                yield from _requantizer_features(instruction, words)
            case Softmax(src=src, length=length):
                scores = memory.scratchpad_reader(vector(src, length), LOW_BYTE)()
                exponentials = softmax_exponentials(scores)
                products = exponentials * ((1 << 38) // int(exponentials.sum()))
                if (products % (1 << 22) == 1 << 21).any():
                    yield "tie"
            case VectorAdd(src1=src1, src2=src2, length=length):
                sums = sum(
                    memory.scratchpad_reader(vector(source, length), LOW_BYTE)().astype(np.int64)
                    for source in (src1, src2)
                )
                yield from (name for name, found in _clamps(np.asarray(sums), -127) if found)
            case ArgMax(src=src, length=length):
                words = memory.scratchpad_reader(vector(src, length), SIGNED_WORD)()
                if (words == words.max()).sum() > 1:
                    yield "several maxima"
                if words.max() < 0:
                    yield "all negative"
            case MatMul():
                left = memory.scratchpad_reader(matrix_a(instruction), LOW_BYTE)()
                if (left == -128).any():
                    yield "operand -128"


def _requantizer_features(instruction: Requantize, words: NDArray[np.int32]) -> Iterator[str]:
    shift = instruction.shift
    magnitudes = np.abs(words.astype(np.int64)) * instruction.multiplier
    quotients = (magnitudes + ((1 << shift) >> 1)) >> shift
    tied = (magnitudes & ((1 << shift) - 1) == 1 << (shift - 1)) if shift else np.zeros(len(words), np.bool_)
    inside = quotients <= 127
    yield from (
        name
        for name, found in (
            ("positive tie", tied & (words > 0) & inside),
            ("negative tie", tied & (words < 0) & inside),
            ("clamped tie", tied & ~inside),
            ("accumulator -2^31", words == -(1 << 31)),
        )
        if found.any()
    )
    signed = np.sign(words.astype(np.int64)) * quotients
    relu = "relu " if instruction.relu else ""
    yield from (relu + name for name, found in _clamps(signed, 0 if relu else -127) if found)


def _clamps(values: NDArray[np.int64], low: int) -> Iterator[tuple[str, bool]]:
    yield "clamped high", bool((values > 127).any())
    yield "clamped low", bool((values < low).any())
    yield "in range", bool(((values >= low) & (values <= 127) & (values != 0)).any())


def _operand_features(instruction: Instruction) -> Iterator[str]:
    """Sizes, strides, wraps and aliases."""
    touched = footprint(instruction)
    regions = {**touched.reads, "dst": touched.writes, "ext": touched.ext_reads or touched.ext_writes}
    yield from (f"{name} wraps" for name, region in regions.items() if region is not None and region.wraps)
    if not isinstance(instruction, MatMul):
        length: int = instruction.length  # type: ignore[union-attr]
        yield f"length {length if length in (1, 2, 4095) else 'over 2048' if length > 2048 else 'other'}"
    match instruction:
        case Requantize():
            yield f"shift {instruction.shift}"
            yield f"relu {instruction.relu}"
            multiplier = instruction.multiplier
            normalized = "normalized" if multiplier >> 23 else "small"
            yield f"multiplier {multiplier if multiplier in (0, (1 << 24) - 1) else normalized}"
        case MatMul():
            yield from _matrix_features(instruction)
    match instruction:
        case Requantize(dst=dst, src=src, length=length) | Softmax(dst=dst, src=src, length=length):
            distance = (dst - src) % 4096
            adjacent = distance in (length, 4096 - length)
            yield "in place" if distance == 0 else "adjacent" if adjacent else "apart"
        case VectorAdd(dst, src1, src2, length):
            distance = min((src1 - src2) % 4096, (src2 - src1) % 4096)
            yield f"onto first {dst == src1}, onto second {dst == src2}, same sources {src1 == src2}"
            if 0 < distance < length:
                yield "sources overlap"
        case ArgMax(dst, src, length):
            yield f"dst inside {(dst - src) % 4096 < length}"


def _matrix_features(instruction: MatMul) -> Iterator[str]:
    yield f"M {instruction.m}"
    yield f"N {instruction.n}"
    if instruction.k in (1, 64):
        yield f"K {instruction.k}"
    yield f"tb {instruction.transpose_b}"
    b_columns = instruction.k if instruction.transpose_b else instruction.n
    for name, stride, row in (
        ("lda", instruction.lda, instruction.k),
        ("ldb", instruction.ldb, b_columns),
        ("ldc", instruction.ldc, instruction.n),
    ):
        if stride in (0, row):
            yield f"{name} {'zero' if stride == 0 else 'exact'}"
        else:
            yield f"{name} {'inside' if stride < row else 'gap' if stride <= row + 64 else 'large'}"
    a, b, c = (
        set(matrix(instruction).addresses().ravel().tolist()) for matrix in (matrix_a, matrix_b, matrix_c)
    )
    yield f"C overlaps A {bool(a & c)}"
    yield f"C overlaps B {bool(b & c)}"
    yield f"onto A {instruction.dst == instruction.a}, onto B {instruction.dst == instruction.b}"
    yield f"same sources {instruction.a == instruction.b}"


def _program_features(program: RandomProgram) -> Iterator[str]:
    count = len(program.decoded.instructions)
    latency = program.read_latency
    yield f"latency {latency if latency <= 32 else 'over 32'}"
    yield f"ext_words {program.ext_words if program.ext_words in (8192, 65536) else 'other'}"
    if program.reserved_bits is not None:
        yield "reserved bits"
    if program.scratchpad is not None:
        yield "scratchpad image"
    elif len(program.decoded.interface.reads):
        yield "reads what an earlier program left"
    else:
        yield "loads all it reads"
    rest = len(program.instructions) - count
    if program.decoded.fault:
        position = "first" if count == 0 else "last" if rest == 2 else "middle"
        yield f"fault {position}"
    else:
        yield {0: "no HALT", 1: "HALT"}.get(rest, "words after HALT")
    yield from (f"profile {region.profile}" for region in (*program.ext, *(program.scratchpad or ())))


def _stimulus_features(stimulus: Stimulus, cycles: int) -> Iterator[str]:
    extra, reset = stimulus.extra_start, stimulus.reset_cycle
    if stimulus.reset_first:
        yield "reset before start"
    if stimulus.response_delays is not None:
        yield f"response delays {stimulus.response_delays.pattern}"
    if reset is not None and extra is None:
        yield "reset while running" if reset <= cycles else "reset while halted"
    if reset is not None and extra is not None:
        yield "reset against held start" if extra[1] == reset else "reset in the second pass"
    if reset is None and extra is not None:
        yield "start while busy" if extra[1] <= cycles else "held start" if extra[0] <= cycles else "restart"
