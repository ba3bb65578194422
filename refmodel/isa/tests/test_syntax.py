"""Instructions as text, both ways, and messages that tell a user what to write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from refmodel.isa.encoding import OPERATIONS
from refmodel.isa.instructions import Halt, Illegal, Instruction, Load, MatMul, Opcode, Requantize
from refmodel.isa.syntax import (
    InstructionTextError,
    format_instruction,
    nearest_name,
    parse_instruction,
    parse_number,
    usage,
)
from refmodel.isa.tests.strategies import any_instruction


@given(any_instruction.filter(lambda instruction: not isinstance(instruction, Illegal)))
def test_parse_reverses_format(instruction: Instruction) -> None:
    assert parse_instruction(format_instruction(instruction)) == instruction


def test_text_hand_written() -> None:
    assert parse_instruction("HALT") == Halt()
    assert parse_instruction("  LD  0x10 32\t0xfF ") == Load(16, 32, 255)
    assert parse_instruction("RQ 1 2 3 4 5 1") == Requantize(1, 2, 3, 4, 5, True)
    text = "MM 1 2 3 4 64 2 1 7 8 9"
    assert parse_instruction(text) == MatMul(1, 2, 3, 4, 64, 2, True, 7, 8, 9)
    assert format_instruction(MatMul(1, 2, 3, 4, 64, 2, True, 7, 8, 9)) == text


def test_opcodes_and_operands_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[3] / "docs" / "isa.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| `([A-Z][^`]*)` \|", page, re.MULTILINE)
    assert rows == [(str(opcode.value), usage(opcode)) for opcode in Opcode]
    assert list(OPERATIONS) == list(Opcode)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "MN 1 2 3",
            f"unknown mnemonic 'MN'; legal are {', '.join(Opcode.__members__)}; the nearest is MM",
        ),
        ("ld 1 2 3", "unknown mnemonic 'ld'.*the nearest is LD"),
        ("ARGMAX 1 2 3", "the nearest is AMAX"),
        ("LD 1 2", "LD has 2 operands, expected 3: LD dst src len"),
        ("HALT 0", "HALT has 1 operands, expected 0: HALT"),
        ("LD 1 2 three", "'three' is not a number"),
        ("LD 1 2 3.0", "'3.0' is not a number"),
        ("LD 1 2 1_0", "'1_0' is not a number"),
        ("LD 1 2 0x", "'0x' is not a number"),
        ("LD 1 2 --1", "'--1' is not a number"),
        (f"LD 1 2 0x{'f' * 4000}", "'0xf{38}...' has 4002 characters, no number of GA2 more than 40"),
        (f"LD 1 2 {'9' * 5000}", "'9{40}...' has 5000 characters"),
        ("RQ 0 0 1 1 1 2", "RQ: field relu is 2, legal is 0..1"),
    ],
)
def test_messages(text: str, message: str) -> None:
    with pytest.raises(InstructionTextError, match=message):
        parse_instruction(text)


def test_parse_number() -> None:
    assert [parse_number(token) for token in ("0", "-7", "0x1F", "-0x10", "0X1f")] == [0, -7, 31, -16, 31]


def test_nearest_name_prefers_the_same_beginning() -> None:
    assert nearest_name("MN", ["SM", "MM"]) == "MM"


def test_illegal_words_are_shown_but_do_not_assemble() -> None:
    assert format_instruction(Illegal(15)) == "illegal opcode 15"
    with pytest.raises(InstructionTextError):
        parse_instruction("illegal opcode 15")
