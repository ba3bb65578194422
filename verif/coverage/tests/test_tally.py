"""Counting: many runs at once as one by one, and what must not count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refmodel.isa.instructions import Requantize, VectorAdd
from refmodel.machine.machine import Machine
from sequences.directed import GROUPS
from sequences.directed.directed_program import bundle_of
from verif.coverage import tally as tally_module
from verif.coverage.model import load_model
from verif.coverage.passed_program import PassedProgram
from verif.coverage.prediction import predicted
from verif.coverage.tally import Tally

MODEL = load_model()


def programs() -> list[tuple[str, PassedProgram]]:
    """Return directed programs, each twice: what the second one hits is known by then."""
    machine = Machine()
    found = [
        (program.name, predicted(program.bundle, machine))
        for group in ("vectors", "requantizer", "faults", "matrix")
        for program in GROUPS[group](1)
    ]
    return [*found, *found]


def test_many_runs_at_once_count_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for batch in (1, 7, 32):
        monkeypatch.setattr(tally_module, "BATCH", batch)
        tally = Tally(MODEL)
        for name, program in programs():
            tally.program(name, program)
        results.append(tally.result())
    assert results[0] == results[1] == results[2]
    assert len(results[0].bins) > 500


def test_the_first_program_in_order_is_named() -> None:
    tally = Tally(MODEL)
    addition = predicted(bundle_of([VectorAdd(10, 0, 5, 5)], scratchpad=np.ones(20, np.uint32)))
    for name in ("first", "second"):
        tally.program(name, addition)
    assert {each.program for each in tally.result().bins.values()} == {"first"}
    assert {each.count for each in tally.result().bins.values()} <= {2, 10}


def test_words_that_were_not_compared_do_not_count() -> None:
    scratchpad = np.full(20, 7, np.uint32)
    program = predicted(bundle_of([Requantize(10, 0, 1, 1, 0)], scratchpad=scratchpad))
    (number,) = MODEL["rq_accumulator"].named("2..2147483646")
    unknown_operand, unknown_result = program.scratchpad_known.copy(), program.scratchpad_known.copy()
    unknown_operand[0] = unknown_result[10] = False
    for known, times in ((program.scratchpad_known, 1), (unknown_operand, 0), (unknown_result, 0)):
        tally = Tally(MODEL)
        tally.program("p", replace(program, scratchpad_known=known))
        assert tally.count(int(number)) == times
