"""Where operands survive: what the analysis says of random programs, against the model's memories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import ArgMax, Halt, Instruction, Load, MatMul, Requantize, Store, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import footprint
from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult, WordArray
from refmodel.numerics.integer import IntArray
from verif.coverage.executed_program import WORD_BYTES, End, executed_program
from verif.coverage.value_places import NOWHERE, places_at_end

EXT_WORDS = 70

small = st.integers(0, 40)
lengths = st.integers(1, 6)
instructions: st.SearchStrategy[Instruction] = st.one_of(
    st.builds(Load, small, st.integers(0, EXT_WORDS - 6), lengths),
    st.builds(Store, small, st.integers(0, EXT_WORDS - 6), lengths),
    st.builds(
        MatMul, small, small, small, st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.booleans(),
        st.integers(0, 4), st.integers(0, 4), st.integers(0, 4),
    ),
    st.builds(lambda a, n: Requantize(a, a, n, 9_000_000, 40), small, lengths),
    st.builds(lambda a, n: Requantize(a + 50, a, n, 9_000_000, 40), small, lengths),
    st.builds(lambda a, b, n: VectorAdd(a + 60, a, b, n), small, small, lengths),
    st.builds(ArgMax, small, small, lengths),
)  # fmt: skip


WORDS = np.random.default_rng(5).permutation(SCRATCHPAD_WORDS + EXT_WORDS).astype(np.uint32) * np.uint32(4001)
"""Distinct ones, so that a value tells where it comes from."""


def run(code: Sequence[Instruction]) -> RunResult:
    """Return what a program leaves behind."""
    scratchpad, ext = WORDS[:SCRATCHPAD_WORDS], WORDS[SCRATCHPAD_WORDS:]
    return Machine().run(Bundle(encode_program([*code, Halt()]), ext, EXT_WORDS, scratchpad=scratchpad))


@settings(max_examples=40)
@given(st.lists(instructions, min_size=1, max_size=8))
def test_a_place_holds_the_very_word_that_was_read_or_written(code: list[Instruction]) -> None:
    states = [run(code[:number]) for number in range(len(code) + 1)]
    memory: WordArray = np.concatenate([states[-1].scratchpad, states[-1].ext])
    found = places_at_end(code, None, EXT_WORDS)
    for number, (instruction, places) in enumerate(zip(code, found, strict=True)):
        touched = footprint(instruction)
        before, after = states[number].scratchpad, states[number + 1].scratchpad
        for name, region in touched.reads.items():
            _same(memory, places.reads[name], before[region.addresses()])
        if touched.writes is not None:
            assert places.writes is not None
            _same(memory, places.writes, after[touched.writes.addresses()])


def _same(memory: WordArray, places: IntArray, words: WordArray) -> None:
    there = places != NOWHERE
    assert (memory[places[there]] == words[there]).all()


def test_overwritten_words_are_nowhere_unless_a_copy_was_stored() -> None:
    first, second = Requantize(10, 0, 3, 1, 0), Requantize(10, 20, 2, 1, 0)
    places = places_at_end([first, second], None, EXT_WORDS)
    assert places[0].writes is not None
    assert places[0].writes.tolist() == [NOWHERE, NOWHERE, 12]
    stored = places_at_end([first, Store(10, 30, 3), second], None, EXT_WORDS)
    assert stored[0].writes is not None
    assert stored[0].writes.tolist() == [4096 + 30, 4096 + 31, 12]


def test_words_beyond_ext_words_are_not_there() -> None:
    places = places_at_end([Load(0, EXT_WORDS - 1, 2), Store(50, EXT_WORDS - 1, 2)], None, EXT_WORDS)
    assert places[0].writes is not None
    assert places[0].writes.tolist() == [0, 1]
    overwritten = places_at_end([Store(50, EXT_WORDS - 1, 2), Load(50, 0, 2)], None, EXT_WORDS)
    assert overwritten[0].reads["src"].tolist() == [4096 + EXT_WORDS - 1, NOWHERE]


def test_of_colliding_results_the_last_stays() -> None:
    (places,) = places_at_end([MatMul(100, 0, 50, 2, 1, 2, lda=1, ldb=2, ldc=1)], None, EXT_WORDS)
    assert places.writes is not None
    assert places.writes.tolist() == [[100, NOWHERE], [101, 102]]


def test_what_rst_cut_may_have_written_any_of_its_words() -> None:
    (places,) = places_at_end([Requantize(10, 0, 3, 1, 0)], Load(11, 0, 1), EXT_WORDS)
    assert places.writes is not None
    assert places.writes.tolist() == [10, NOWHERE, 12]


@pytest.mark.parametrize(("end", "left"), [(End.RESET, [10, NOWHERE, 12]), (End.HALT, [10, 11, 12])])
def test_only_rst_cuts_an_instruction(end: End, left: list[int]) -> None:
    """A word that faults, or a HALT, writes nothing; of the instruction under rst nobody knows."""
    words = encode_program([Requantize(10, 0, 3, 1, 0), Load(11, 0, 1) if end is End.RESET else Halt()])
    code = b"".join(word.to_bytes(WORD_BYTES, "little") for word in words)
    log = np.array([[0, Requantize.opcode, 0, 0, 5]], np.int64).tobytes()
    (places,) = executed_program(code, log, end, False, EXT_WORDS).places
    assert places.writes is not None
    assert places.writes.tolist() == left


def test_a_fault_writes_nothing() -> None:
    words = encode_program([Requantize(10, 0, 3, 1, 0), Load(11, 0, 0)])
    code = b"".join(word.to_bytes(WORD_BYTES, "little") for word in words)
    log = np.array([[0, Requantize.opcode, 0, 0, 5]], np.int64).tobytes()
    for end in (End.FAULT, End.RESET):  # rst can meet that word too
        (places,) = executed_program(code, log, end, False, EXT_WORDS).places
        assert places.writes is not None
        assert places.writes.tolist() == [10, 11, 12]
