"""What each operation computes: one function each, which binds an instruction to a memory.

The formulas are those of docs/isa.md; the arithmetic itself is `refmodel.numerics.integer`, shared with the
compiler's interpreter. Every function returns the step that executes its instruction.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from refmodel.isa.instructions import (
    ArgMax,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.regions import external_vector, matrix_a, matrix_b, matrix_c, vector
from refmodel.machine.memory import LOW_BYTE, SIGNED_WORD, UNSIGNED_WORD, MachineMemory
from refmodel.numerics.integer import (
    requantize,
    saturating_add,
    softmax_exponentials,
    softmax_probabilities,
)

Step = Callable[[], None]
"""Executes one instruction."""


def bind(instruction: Instruction, memory: MachineMemory) -> Step:
    """Return the step that executes `instruction` on `memory`; it must neither fault nor be HALT."""
    match instruction:
        case Load():
            return _load(instruction, memory)
        case Store():
            return _store(instruction, memory)
        case MatMul():
            return _matmul(instruction, memory)
        case Requantize():
            return _requantize(instruction, memory)
        case Softmax():
            return _softmax(instruction, memory)
        case VectorAdd():
            return _vector_add(instruction, memory)
        case ArgMax():
            return _argmax(instruction, memory)
        case _:
            raise ValueError(f"{instruction} does not execute")


def _load(op: Load, memory: MachineMemory) -> Step:
    """All 32 bits move; a word beyond `ext_words` reads as 0."""
    source = memory.ext_reader(external_vector(op.src, op.length))
    write = memory.scratchpad_writer(vector(op.dst, op.length), UNSIGNED_WORD)
    return lambda: write(source().copy())


def _store(op: Store, memory: MachineMemory) -> Step:
    """All 32 bits move; a write beyond `ext_words` is dropped."""
    source = memory.scratchpad_reader(vector(op.src, op.length), UNSIGNED_WORD)
    write = memory.ext_writer(external_vector(op.dst, op.length))
    end = op.dst + op.length

    def step() -> None:
        write(source().copy())
        if end > memory.ext_words:
            memory.drop_stray_writes()

    return step


def _matmul(op: MatMul, memory: MachineMemory) -> Step:
    """C = A·B; int32 holds every sum, |C| ≤ 64·2^14. Both tiles are read before the first write."""
    left = memory.scratchpad_reader(matrix_a(op), LOW_BYTE)
    right = memory.scratchpad_reader(matrix_b(op), LOW_BYTE)
    write = memory.scratchpad_writer(matrix_c(op))
    return lambda: write(np.matmul(left(), right(), dtype=np.int32))


def _requantize(op: Requantize, memory: MachineMemory) -> Step:
    """Signed 32-bit accumulators in, int8 out."""
    accumulators = memory.scratchpad_reader(vector(op.src, op.length), SIGNED_WORD)
    write = memory.scratchpad_writer(vector(op.dst, op.length))
    multiplier, shift, relu = op.multiplier, op.shift, op.relu
    return lambda: write(requantize(accumulators(), multiplier, shift, relu))


def _softmax(op: Softmax, memory: MachineMemory) -> Step:
    """Low bytes in, probabilities in Q0.16 out, by way of the exponentials, which dst holds in between."""
    scores = memory.scratchpad_reader(vector(op.src, op.length), LOW_BYTE)
    write = memory.scratchpad_writer(vector(op.dst, op.length))

    def step() -> None:
        exponentials = softmax_exponentials(scores())
        write(exponentials)
        write(softmax_probabilities(exponentials))

    return step


def _vector_add(op: VectorAdd, memory: MachineMemory) -> Step:
    """Low bytes in, clamped sums out."""
    left = memory.scratchpad_reader(vector(op.src1, op.length), LOW_BYTE)
    right = memory.scratchpad_reader(vector(op.src2, op.length), LOW_BYTE)
    write = memory.scratchpad_writer(vector(op.dst, op.length))
    return lambda: write(saturating_add(left(), right()))


def _argmax(op: ArgMax, memory: MachineMemory) -> Step:
    """Index of the first maximum of signed 32-bit words, counted from 0."""
    words = memory.scratchpad_reader(vector(op.src, op.length), SIGNED_WORD)
    write = memory.scratchpad_writer(vector(op.dst, 1))
    return lambda: write(np.argmax(words(), keepdims=True))
