"""Instruction counts, words, cycles and scratchpad of the published programs, over arbitrary weights."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.interpreter import interpret_outputs
from refmodel.capra.program import Program
from refmodel.capra.tests.language_graphs import (
    SUM_RANGES,
    draft_graph,
    language_samples,
    plain_graph,
    verifier_graph,
)
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Load
from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters


def run(program: Program, rows: int, cached: int) -> Counters:
    """Run a program on a sample, compare its outputs with the interpreter's and return the counters."""
    inputs = language_samples(rows, cached)[0]
    result = Machine(strict=True).run(program.bundle(inputs))
    outputs = program.read_outputs(result.ext)
    expected = interpret_outputs(program.graph, program.plan, inputs)
    assert outputs.keys() == expected.keys()
    assert all(np.array_equal(outputs[name], expected[name]) for name in expected)
    return result.counters


def words_loaded(program: Program) -> int:
    return sum(word.length for word in map(decode, program.code) if isinstance(word, Load))


def compile_verifier(rows: int, cached: int, reuse: bool = True) -> Program:
    return compile_graph(verifier_graph(rows, cached), language_samples(rows, cached), SUM_RANGES, reuse)


def test_the_verifier_block_has_the_published_instructions_words_and_cycles() -> None:
    program = compile_verifier(4, 4)
    operations = Counter(
        word.opcode.name for word in map(decode, program.code) if hasattr(word.opcode, "name")
    )
    assert operations == {
        "LD": 10, "MM": 56, "RQ": 23, "SM": 4, "ST": 5, "VADD": 2, "AMAX": 4, "HALT": 1,
    }  # fmt: skip
    assert words_loaded(program) == 2496
    assert run(program, 4, 4) == Counters(12330, 7732, 2856, 1532, 104)


@pytest.mark.parametrize(("cached", "cycles"), [(4, 12330), (12, 14410), (24, 17530)])
def test_verifier_cycles(cached: int, cycles: int) -> None:
    assert run(compile_verifier(4, cached), 4, cached).cyc_total == cycles


@pytest.mark.parametrize(
    ("context", "cycles", "words"), [(5, 7378, 2448), (6, 7457, 2480), (7, 7536, 2512), (8, 7615, 2544)]
)
def test_plain_step_cycles_and_words(context: int, cycles: int, words: int) -> None:
    program = compile_graph(plain_graph(context), language_samples(1, context - 1), SUM_RANGES)
    assert words_loaded(program) == words
    assert run(program, 1, context - 1).cyc_total == cycles


def test_draft_step_cycles() -> None:
    assert run(compile_graph(draft_graph(), language_samples(1, 0)), 1, 0).cyc_total == 810


def test_the_verifier_without_reuse_needs_3512_words() -> None:
    """2,496 loaded, 192 q k v, 52 scores and probabilities, 64 attention, 708 for the rest of the layer."""
    program = compile_verifier(4, 4, reuse=False)
    assert program.scratchpad_words == 3512
    assert compile_verifier(4, 4).scratchpad_words < 2048
