"""Published figures of single programs: operations, words loaded, and cycles."""

from __future__ import annotations

from collections import Counter

import pytest

from refmodel.capra.program import Program
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Load, Opcode
from refmodel.language.draft import bigram_draft
from refmodel.machine.result import Counters
from refmodel.published.tests.decoding import FIGURES, PublishedDecoder

CONTEXTS = (5, 6, 7, 8)


def verifier(decoder: PublishedDecoder, cached: int, rows: int = 4) -> Program:
    return decoder.family("structured", 1).for_plain().verifier(cached, rows)


def plain(decoder: PublishedDecoder, context: int) -> Program:
    return decoder.family("structured", 1).for_plain().plain(context)


def counters(decoder: PublishedDecoder, program: Program) -> Counters:
    """Run a program on ones: time does not depend on data."""
    inputs = {name: [[1.0] * port.shape[1]] * port.shape[0] for name, port in program.inputs.items()}
    return decoder.machine.run(program.bundle(inputs)).counters


def words_loaded(program: Program) -> int:
    instructions = [decode(word) for word in program.code]
    return sum(instruction.length for instruction in instructions if isinstance(instruction, Load))


def test_the_operations_of_a_verifier_block(shape_decoder: PublishedDecoder) -> None:
    published = FIGURES["verifier"]
    program = verifier(shape_decoder, published["c"], published["m"])
    operations = Counter(Opcode(word >> 124).name for word in program.code)
    assert operations == published["ops"]
    assert words_loaded(program) == published["words_loaded"]


def test_the_counters_of_a_verifier_block(shape_decoder: PublishedDecoder) -> None:
    published = FIGURES["verifier"]
    measured = counters(shape_decoder, verifier(shape_decoder, published["c"], published["m"]))
    for name in ("cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst"):
        assert getattr(measured, name) == published[name], name
    assert measured.cyc_total - measured.cyc_mm - measured.cyc_dma - measured.cyc_vec == 210


@pytest.mark.parametrize("cached", FIGURES["verifier_cycles_m4"])
def test_the_cycles_of_verifier_blocks_over_longer_caches(
    shape_decoder: PublishedDecoder, cached: str
) -> None:
    measured = counters(shape_decoder, verifier(shape_decoder, int(cached)))
    assert measured.cyc_total == FIGURES["verifier_cycles_m4"][cached]


@pytest.mark.parametrize("context", CONTEXTS)
def test_the_cycles_and_words_of_plain_steps(shape_decoder: PublishedDecoder, context: int) -> None:
    program = plain(shape_decoder, context)
    assert counters(shape_decoder, program).cyc_total == FIGURES["plain_cycles"][str(context)]
    assert words_loaded(program) == FIGURES["plain_words_loaded"][str(context)]


def test_a_block_costs_two_fifths_of_the_four_steps_it_replaces(shape_decoder: PublishedDecoder) -> None:
    steps = sum(counters(shape_decoder, plain(shape_decoder, context)).cyc_total for context in CONTEXTS)
    assert round(counters(shape_decoder, verifier(shape_decoder, 4)).cyc_total / steps, 2) == 0.41


def test_the_cycles_of_a_draft_step(shape_decoder: PublishedDecoder) -> None:
    family = shape_decoder.family("structured", 1)
    program = family.for_speculation(bigram_draft(family.target), 3)[1].draft()
    assert counters(shape_decoder, program).cyc_total == FIGURES["draft_cycles"]
