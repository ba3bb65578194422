"""The two renderings of a divergence."""

from __future__ import annotations

import json

import pytest

from refmodel.isa.instructions import Load
from refmodel.machine.events import Event, Retire
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from verif.divergence.report import divergence_json, divergence_text
from verif.divergence.search import find_divergence
from verif.tests.divergence_cases import CASES, changed, diverging
from verif.tests.found_events import longer

LATE_MATMUL = """\
wrong time in cycle 45, pc 1: MM 20 0 4 2 2 2 0 2 2 2
  pc 1 (MM 20 0 4 2 2 2 0 2 2 2) is busy for 24 cycles rather than 23

  expected     retire MM  busy 23 mm  pc 1  cycle 44
  found        retire MM  busy 24 mm  pc 1  cycle 45
  unit         matrix (cyc_mm)
  read A       scratchpad 0: 2×2, strides 2, 1: 1 2 3 4
  read B       scratchpad 4: 2×2, strides 2, 1: 5 6 7 8

  busy cycles: expected 23, found 24 (+1)
         4  stage A, one word a cycle
         4  stage B, one word a cycle
         4  skewed stream through the array
         4  write C, one word a cycle
         7  control (control constant)
  each of these alone would account for the difference:
    - control: 8 rather than 7 (control constant)

  retired before                            expected                    found
  0: LD 0 0 8                               17 dma, cycle 19            17 dma, cycle 19
"""


def late_matmul(events: list[Event]) -> list[Event]:
    return longer(events, 1, 1)


def test_the_report_of_a_late_unit() -> None:
    assert divergence_text(diverging(late_matmul)) == LATE_MATMUL


def test_the_report_of_a_wrong_word_names_the_element() -> None:
    text = divergence_text(diverging(changed(1, 2, data=77)))
    assert "  expected     scratchpad[22] := 43 (0x0000002b)  pc 1  cycles 22..44\n" in text
    assert "  found        scratchpad[22] := 77 (0x0000004d)  pc 1  cycle 43\n" in text
    assert "  operand      C[1][0]\n" in text


def test_the_report_of_what_came_too_much_or_not_at_all() -> None:
    assert "  found        nothing more\n" in divergence_text(diverging(CASES["hang"][0]))
    after = divergence_text(diverging(CASES["second end"][0]))
    assert "  expected     nothing: the program has ended\n" in after
    assert "  unit" not in after


def test_a_time_that_nothing_accounts_for() -> None:
    trace = trace_program(program(Load(0, 0, 1), ext=[1], read_latency=1))
    events = list(trace.events)
    # No term of 1 + 1 + 1 is 2 cycles long, and no length or latency is below 1.
    events[-2] = Retire(0, 1, 0, 1, 0, 3)
    divergence = find_divergence(trace, events)
    assert divergence is not None
    assert "no single term or size accounts for the difference" in divergence_text(divergence)


@pytest.mark.parametrize("name", CASES)
def test_every_report_fits_and_is_json(name: str) -> None:
    divergence = diverging(CASES[name][0])
    text = divergence_text(divergence)
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[0].startswith(divergence.kind.value)
    document = divergence_json(divergence)
    assert json.loads(json.dumps(document)) == document


def test_json() -> None:
    document = divergence_json(diverging(changed(1, 2, data=77)))
    keys = ("kind", "pc", "opcode", "unit", "tensor", "element", "cycle", "position")
    assert [document[key] for key in keys] == ["data", 1, "MM", "matrix", None, "C[1][0]", 43, 11]
    assert (document["expected"]["data"], document["found"]["data"]) == (43, 77)
    assert [operand["operand"] for operand in document["operands"]] == ["A", "B"]
    assert [pair["instruction"] for pair in document["retires_before"]] == ["LD 0 0 8"]
    assert document["timing"] is None
    timing = divergence_json(diverging(late_matmul))["timing"]
    assert (timing["expected"], timing["found"], len(timing["parts"])) == (23, 24, 5)
    assert timing["candidates"] == ["control: 8 rather than 7 (control constant)"]
