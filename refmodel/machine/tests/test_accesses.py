"""Signatures tell writes apart; what they say of whole programs is in test_machine.py."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.isa.instructions import ArgMax, Load, Store, VectorAdd
from refmodel.machine.accesses import MULTIPLIER, Accesses, joined
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.machine import Machine
from refmodel.machine.tests.helpers import program

BUNDLE = program(Load(0, 0, 8), VectorAdd(16, 0, 0, 8), Store(16, 40, 8), ArgMax(16, 0, 8), ext=range(1, 9))


def accesses(*, change: tuple[int, int, int] | None = None, count: int | None = None) -> Accesses:
    """Return those of the program, after adding to a word of a result: {result, word, what is added}."""
    results = list(Machine().run(BUNDLE).results)
    if change is not None:
        result, word, added = change
        results[result] = results[result].astype(np.int64)
        results[result][word] += added
    plan = decode_program(BUNDLE.code, BUNDLE.read_latency).access_plan
    return plan.accesses(results, (), 4 if count is None else count)


def test_counts() -> None:
    found = accesses()
    assert found.writes.tolist() == [8, 8, 0, 1]
    assert found.ext_writes.tolist() == [0, 0, 8, 0]
    assert found.reads.tolist() == [0, 16, 8, 8]


@pytest.mark.parametrize("bit", [0, 7, 31])
@pytest.mark.parametrize("result", range(4))
def test_one_wrong_bit_changes_one_signature(result: int, bit: int) -> None:
    wrong = accesses(change=(result, 0, 1 << bit)).signatures != accesses().signatures
    assert np.flatnonzero(wrong).tolist() == [result]


def test_the_same_wrong_bit_in_every_word_does_not_cancel() -> None:
    """Neither the highest bit of a word nor that of an address leaves the 64 bits of the signature."""
    total = 0
    for power in range(4096):
        total = (total + pow(MULTIPLIER, power, 2**64)) % 2**64
        assert total * 2**31 % 2**64
        assert total * 2**47 % 2**64


def test_accesses_of_a_run_that_was_cut() -> None:
    assert accesses(count=2).signatures.tolist() == accesses().signatures[:2].tolist()
    assert len(accesses(count=0)) == 0


def test_passes_follow_each_other() -> None:
    twice = joined([accesses(), accesses(count=3)])
    assert twice.reads.tolist() == [0, 16, 8, 8, 0, 16, 8]


def test_what_depends_on_an_undefined_word_is_not_known() -> None:
    bundle = program(ArgMax(8, 0, 4), Load(0, 0, 4), VectorAdd(4, 0, 8, 4))
    result = Machine().run(bundle)
    assert result.undefined_results == (0, 2)
    plan = decode_program(bundle.code, bundle.read_latency).access_plan
    found = plan.accesses(result.results, result.undefined_results, 3)
    assert found.known.tolist() == [False, True, False]
