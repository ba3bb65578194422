"""What the source map adds to a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from refmodel.isa.instructions import Load, MatMul, Store
from refmodel.machine.events import ALL_BITS, Event, Write
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from refmodel.source_map.instruction_source import InstructionSource, whole
from refmodel.source_map.places import ExternalPlace, ScratchpadPlace
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor
from verif.divergence.divergence import Divergence
from verif.divergence.report import divergence_json, divergence_text
from verif.divergence.search import find_divergence
from verif.tests.found_events import found_events

X = Tensor("x", (2, 3), 0.5)
SCORES = Tensor("scores", (2, 2), 0.0402, "accumulator", first_row=2)
OUT = Tensor("out", (2, 2), 0.25)

SOURCE_MAP = SourceMap(
    instructions=(
        whole("load", "x", X),
        InstructionSource("matmul", "scores", SCORES, range(2), range(2)),
        whole("store", "out", OUT),
        None,
    ),
    scratchpad=(ScratchpadPlace(X, 0, 0, 1), ScratchpadPlace(SCORES, 20, 1, 2)),
    ext=(ExternalPlace(X, 0), ExternalPlace(OUT, 50)),
)

TRACE = trace_program(
    replace(
        program(
            Load(0, 0, 6),
            MatMul(20, 0, 10, 2, 3, 2, False, 3, 2, 2),
            Store(20, 50, 4),
            ext=[1, 2, 3, 4, 5, 6],
            scratchpad=[1] * 100,
        ),
        make_source_map=lambda: SOURCE_MAP,
    )
)


def diverging(pc: int, number: int, **values: Any) -> Divergence:
    """Return the divergence when one write of an instruction has other values."""
    events: list[Event] = found_events(TRACE)
    writes = [event for event in events if isinstance(event, Write) and event.pc == pc]
    events[events.index(writes[number])] = replace(writes[number], **values)
    divergence = find_divergence(TRACE, events)
    assert divergence is not None
    return divergence


def test_a_wrong_accumulator() -> None:
    divergence = diverging(1, 3, data=13)
    text = divergence_text(divergence)
    assert "\n  MM #1, scores[rows 2..3]\n" in text
    assert "  tensor       scores[3][1]: expected 15, found 13 (float 0.603, scale 0.0402)\n" in text
    assert divergence_json(divergence)["tensor"] == {
        "tensor": "scores",
        "element": "scores[3][1]",
        "scale": 0.0402,
        "expected": 15,
        "found": 13,
    }


def test_a_wrong_word_of_external_memory() -> None:
    divergence = diverging(2, 1, data=0xFFFF_FFFF)
    assert str(divergence.tensor) == "out[0][1]: expected 6, found -1 (float 1.5, scale 0.25)"


def test_a_word_that_goes_elsewhere_or_is_unknown_has_no_value_found() -> None:
    for divergence in (diverging(0, 5, address=99), diverging(0, 5, unknown=ALL_BITS)):
        assert str(divergence.tensor) == "x[1][2]: expected 6, found nothing known (float 3, scale 0.5)"


def test_without_a_map_the_operand_is_named() -> None:
    bare = trace_program(replace(TRACE.bundle, make_source_map=None))
    divergence = find_divergence(bare, found_events(bare)[1:])
    assert divergence is not None
    assert (divergence.source, divergence.tensor, divergence.element) == (None, None, "dst[0]")
