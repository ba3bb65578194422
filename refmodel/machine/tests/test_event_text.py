from __future__ import annotations

import json

import numpy as np
import pytest

from refmodel.isa.regions import Region, external_vector, vector
from refmodel.machine.event_json import event_json, operand_json
from refmodel.machine.event_text import event_text, region_text, signed, word_text, words_text
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Retire, Write
from refmodel.machine.result import Counters
from refmodel.machine.traced_instruction import OperandWords

EVENTS: dict[str, Event] = {
    "scratchpad[20] := -1 (0xffffffff)  pc 3  cycles 5..9": Write(
        Memory.SCRATCHPAD, 3, 20, 2**32 - 1, CycleSpan(5, 9)
    ),
    "ext[20] := 7 (0x00000007)  pc 3  cycle 5": Write(Memory.EXT, 3, 20, 7, CycleSpan.at(5)),
    "retire MM  busy 28 mm  pc 3  cycle 40": Retire(3, 3, 28, 0, 0, 40),
    "retire opcode 9  busy 1 mm + 2 vec  pc 3  cycle 40": Retire(3, 9, 1, 0, 2, 40),
    "halt  pc 4  cycle 42": End(4, False, Counters(42), 42),
    "fault  pc 4  cycle 42": End(4, True, Counters(42), 42),
}


@pytest.mark.parametrize("text", EVENTS)
def test_events_for_people(text: str) -> None:
    assert event_text(EVENTS[text]) == text


def test_words_are_signed_and_show_unknown_digits() -> None:
    assert word_text(2**31) == "-2147483648 (0x80000000)"
    assert word_text(0x12345678, 0xF0) == "0x123456x8"
    assert word_text(5, 0x8000_0000) == "0xx0000005"
    assert word_text(5, ALL_BITS) == "undefined"
    assert [signed(word) for word in (0, 2**31 - 1, 2**31, 2**32 - 1)] == [0, 2**31 - 1, -(2**31), -1]


def test_long_vectors_are_cut_and_counted() -> None:
    words = np.array([2**32 - 1, *range(1, 20)], np.uint32)
    defined = np.arange(20) != 2
    assert words_text(words, defined) == "-1 1 x 3 4 5 6 7 … (20 words)"
    assert words_text(words[:8], defined[:8]) == "-1 1 x 3 4 5 6 7"


def test_regions() -> None:
    assert region_text(Memory.SCRATCHPAD, vector(8, 4)) == "scratchpad 8..11"
    assert region_text(Memory.SCRATCHPAD, vector(4095, 2)) == "scratchpad 4095..0 (wraps)"
    assert region_text(Memory.EXT, external_vector(5000, 1)) == "external 5000"
    assert region_text(Memory.SCRATCHPAD, Region(8, (4, 16), (20, 1))) == "scratchpad 8: 4×16, strides 20, 1"


def test_events_and_operands_as_json() -> None:
    values = [event_json(event) for event in EVENTS.values()]
    assert json.loads(json.dumps(values)) == values
    assert values[0] == {
        "kind": "scratchpad write",
        "pc": 3,
        "address": 20,
        "data": 2**32 - 1,
        "unknown": 0,
        "first_cycle": 5,
        "last_cycle": 9,
    }
    words, defined = np.array([7, 8], np.uint32), np.array([True, False])
    operand = operand_json(OperandWords("src", Memory.EXT, external_vector(3, 2), words, defined))
    assert (operand["memory"], operand["start"], operand["words"]) == ("external", 3, [7, None])
