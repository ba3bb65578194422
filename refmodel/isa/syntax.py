"""One instruction as text, such as `MM dst A B M K N tb lda ldb ldc`; operands as in `encoding.LAYOUT`."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from refmodel.errors import Ga2Error
from refmodel.isa.encoding import LAYOUT, OPERATIONS
from refmodel.isa.instructions import Illegal, Instruction, Opcode

MAX_DIGITS = 40
"""Longest number that is read: 128 bits take 32 hexadecimal or 39 decimal digits."""


class InstructionTextError(Ga2Error):
    """A line of text is not an instruction."""


def format_instruction(instruction: Instruction) -> str:
    """Return the assembly text of an instruction, numbers in decimal.

    An illegal word has no mnemonic; it is shown as `illegal opcode N`, which does not assemble.
    """
    if isinstance(instruction, Illegal):
        return f"illegal opcode {instruction.opcode}"
    operands = (int(getattr(instruction, field.operand)) for field in LAYOUT[type(instruction)])
    return " ".join([instruction.opcode.name, *map(str, operands)])


def usage(opcode: Opcode) -> str:
    """Return the operands that an operation's text has, such as `LD dst src len`."""
    return " ".join([opcode.name, *(field.symbol for field in LAYOUT[OPERATIONS[opcode]])])


def nearest_name(word: str, known: Sequence[str]) -> str:
    """Return the known name that is most like a misspelt one; of equals, the one that begins as it does."""

    def likeness(name: str) -> tuple[float, bool]:
        return difflib.SequenceMatcher(None, word[:100], name).ratio(), name[:1] == word[:1]

    return max(known, key=likeness)


def parse_number(token: str) -> int:
    """Return a number written in decimal or, after 0x, in hexadecimal; a minus sign may precede it.

    Raises InstructionTextError naming the token, one of more than `MAX_DIGITS` characters included.
    """
    digits = token.removeprefix("-")
    if len(digits) > MAX_DIGITS:
        # Python itself refuses to read or to print integers of some thousands of digits.
        raise InstructionTextError(
            f"'{token[:MAX_DIGITS]}...' has {len(token)} characters, no number of GA2 more than {MAX_DIGITS}"
        )
    base = 16 if digits[:2] in ("0x", "0X") else 10
    # int() alone would also take underscores, blanks and a second sign.
    if digits.isascii() and digits[2 if base == 16 else 0 :].isalnum():
        try:
            return int(token, base)
        except ValueError:
            pass
    raise InstructionTextError(f"{token!r} is not a number; write it in decimal, or in hexadecimal after 0x")


def parse_instruction(text: str) -> Instruction:
    """Return the instruction that a line of text means; the reverse of `format_instruction`.

    Raises InstructionTextError for an unknown mnemonic (naming the nearest), a wrong number of operands or a
    token that is no number. Whether an operand fits its field is found by `encoding.encode`.
    """
    mnemonic, *tokens = text.split()
    if mnemonic not in Opcode.__members__:
        known = list(Opcode.__members__)
        raise InstructionTextError(
            f"unknown mnemonic {mnemonic!r}; legal are {', '.join(known)}; the nearest is "
            f"{nearest_name(mnemonic.upper(), known)}"
        )
    opcode = Opcode[mnemonic]
    operation = OPERATIONS[opcode]
    fields = LAYOUT[operation]
    if len(tokens) != len(fields):
        raise InstructionTextError(
            f"{mnemonic} has {len(tokens)} operands, expected {len(fields)}: {usage(opcode)}"
        )
    values: list[Any] = []
    for field, token in zip(fields, tokens, strict=True):
        value = parse_number(token)
        if field.flag and value not in (0, 1):
            raise InstructionTextError(f"{mnemonic}: field {field.symbol} is {token}, legal is 0..1")
        values.append(bool(value) if field.flag else value)
    return operation(*values)
