"""Instruction counts, words, cycles and scratchpad of the published programs, over arbitrary weights."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

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
from refmodel.isa.instructions import Opcode
from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters
from refmodel.published.decoder import FIGURES
from refmodel.published.measured import words_loaded


def run(program: Program, rows: int, cached: int) -> Counters:
    """Run a program on a sample, compare its outputs with the interpreter's and return the counters."""
    inputs = language_samples(rows, cached)[0]
    result = Machine(strict=True).run(program.bundle(inputs))
    outputs = program.read_outputs(result.ext)
    expected = interpret_outputs(program.graph, program.plan, inputs)
    assert outputs.keys() == expected.keys()
    assert all(np.array_equal(outputs[name], expected[name]) for name in expected)
    return result.counters


def compile_verifier(rows: int, cached: int, reuse: bool = True) -> Program:
    return compile_graph(verifier_graph(rows, cached), language_samples(rows, cached), SUM_RANGES, reuse)


def test_the_verifier_block_has_the_published_instructions_words_and_counters() -> None:
    published = FIGURES["verifier"]
    program = compile_verifier(published["m"], published["c"])
    assert Counter(Opcode(word >> 124).name for word in program.code) == published["ops"]
    assert words_loaded(program) == published["words_loaded"]
    counters = asdict(run(program, published["m"], published["c"]))
    assert counters == {name: published[name] for name in counters}


@pytest.mark.parametrize("cached", FIGURES["verifier_cycles_m4"])
def test_verifier_cycles(cached: str) -> None:
    program = compile_verifier(4, int(cached))
    assert run(program, 4, int(cached)).cyc_total == FIGURES["verifier_cycles_m4"][cached]


@pytest.mark.parametrize("context", FIGURES["plain_cycles"])
def test_plain_step_cycles_and_words(context: str) -> None:
    rows = int(context)
    program = compile_graph(plain_graph(rows), language_samples(1, rows - 1), SUM_RANGES)
    assert words_loaded(program) == FIGURES["plain_words_loaded"][context]
    assert run(program, 1, rows - 1).cyc_total == FIGURES["plain_cycles"][context]


def test_draft_step_cycles() -> None:
    counters = run(compile_graph(draft_graph(), language_samples(1, 0)), 1, 0)
    assert counters.cyc_total == FIGURES["draft_cycles"]


def test_the_verifier_without_reuse_needs_3512_words() -> None:
    """2,496 loaded, 192 q k v, 52 scores and probabilities, 64 attention, 708 for the rest of the layer."""
    program = compile_verifier(4, 4, reuse=False)
    assert program.scratchpad_words == 3512
    assert compile_verifier(4, 4).scratchpad_words < 2048
