"""Instructions and words: every field at its bits, round trips, and refusals that name the field."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.encoding import LAYOUT, FieldError, decode, encode, encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Operation,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.isa.tests.strategies import any_instruction, words

# Each word is put together by hand from the bit positions of docs/isa.md.
HAND_ENCODED = [
    (Halt(), 0),
    (Load(0xABC, 0x1234, 0x0FFF), 1 << 124 | 0xABC << 108 | 0x1234 << 92 | 0xFFF << 76),
    (Store(0xABC, 0x1234, 0x0FFF), 2 << 124 | 0xABC << 108 | 0x1234 << 92 | 0xFFF << 76),
    (
        MatMul(0x111, 0x222, 0x333, 4, 64, 3, True, 0x444, 0x555, 0x666),
        3 << 124
        | 0x111 << 108
        | 0x222 << 92
        | 0x333 << 76
        | 0x555 << 64
        | 0x444 << 52
        | 4 << 38
        | 64 << 30
        | 3 << 22
        | 1 << 18
        | 0x666,
    ),
    (
        Requantize(0x111, 0x222, 0x333, 0xABCDEF, 63, True),
        4 << 124 | 0x111 << 108 | 0x222 << 92 | 0x333 << 76 | 0xABCDEF << 52 | 63 << 46 | 1 << 18,
    ),
    (Softmax(0x111, 0x222, 0x333), 5 << 124 | 0x111 << 108 | 0x222 << 92 | 0x333 << 76),
    (
        VectorAdd(0x111, 0x222, 0x333, 0x444),
        6 << 124 | 0x111 << 108 | 0x222 << 92 | 0x333 << 76 | 0x444 << 52,
    ),
    (ArgMax(0x111, 0x222, 0x333), 7 << 124 | 0x111 << 108 | 0x222 << 92 | 0x333 << 76),
    (Illegal(15), 15 << 124),
]


@pytest.mark.parametrize(("instruction", "word"), HAND_ENCODED)
def test_hand_encoded_words(instruction: Instruction, word: int) -> None:
    assert encode(instruction) == word
    assert decode(word) == instruction


@given(any_instruction)
def test_decode_reverses_encode(instruction: Instruction) -> None:
    assert decode(encode(instruction)) == instruction


@given(words)
def test_encode_of_decode_only_clears_reserved_bits(word: int) -> None:
    canonical = encode(decode(word))
    assert canonical & ~word == 0  # no bit is invented
    assert decode(canonical) == decode(word)


@pytest.mark.parametrize("operation", LAYOUT)
def test_every_bit_is_a_field_or_ignored(operation: type[Operation]) -> None:
    base = operation.opcode << 124
    owners = {field.low + bit: field for field in LAYOUT[operation] for bit in range(field.width)}
    assert len(owners) == sum(field.width for field in LAYOUT[operation])  # no bit has two owners
    for position in range(124):
        decoded = decode(base | 1 << position)
        if position not in owners:
            assert decoded == decode(base)
        else:
            field = owners[position]
            assert getattr(decoded, field.operand) == 1 << position - field.low


def test_upper_bits_of_scratchpad_addresses_are_ignored() -> None:
    upper = 0xF << 120 | 0xF << 104 | 0xF << 88
    assert decode(encode(MatMul(1, 2, 3, 1, 1, 1)) | upper) == MatMul(1, 2, 3, 1, 1, 1)
    assert decode(encode(VectorAdd(1, 2, 3, 4)) | upper) == VectorAdd(1, 2, 3, 4)
    # b of a Load is an external address and c is a length: all 16 bits of both count.
    assert decode(encode(Load(1, 2, 3)) | upper) == Load(1, 0xF002, 0xF003)
    assert decode(encode(Store(1, 2, 3)) | upper) == Store(1, 0xF002, 0xF003)
    assert decode(encode(Softmax(1, 2, 3)) | upper) == Softmax(1, 2, 0xF003)


@pytest.mark.parametrize("operation", LAYOUT)
def test_operands_are_in_the_order_of_the_dataclass(operation: type[Operation]) -> None:
    names = [field.name for field in dataclasses.fields(operation)]
    assert [field.operand for field in LAYOUT[operation]] == names


@given(st.sampled_from([kind for kind in LAYOUT if LAYOUT[kind]]), st.data())
def test_operands_out_of_range_are_refused_by_name(operation: type[Operation], data: st.DataObject) -> None:
    fields = LAYOUT[operation]
    field = data.draw(st.sampled_from(fields))
    value = data.draw(st.one_of(st.integers(max_value=-1), st.integers(min_value=field.largest + 1)))
    operands: dict[str, int] = {each.operand: 0 for each in fields} | {field.operand: value}
    with pytest.raises(FieldError) as caught:
        encode(operation(**operands))  # type: ignore[arg-type]
    assert (caught.value.name, caught.value.value) == (field.symbol, value)
    assert f"{operation.opcode.name}: field {field.symbol} is {value}, legal is 0..{field.largest}" in str(
        caught.value
    )


@pytest.mark.parametrize("opcode", [-1, 0, len(Opcode) - 1, 16])
def test_illegal_holds_only_illegal_opcodes(opcode: int) -> None:
    with pytest.raises(FieldError, match=rf"field opcode is {opcode}, legal is 8\.\.15; "):
        encode(Illegal(opcode))


@pytest.mark.parametrize("word", [-1, 1 << 128])
def test_decode_refuses_what_is_no_word(word: int) -> None:
    with pytest.raises(FieldError):
        decode(word)


def test_decoded_flags_are_bools() -> None:
    decoded = decode(encode(MatMul(0, 0, 0, 1, 1, 1, True)))
    assert isinstance(decoded, MatMul)
    assert decoded.transpose_b is True


def test_encode_program_encodes_in_order() -> None:
    program: list[Instruction] = [Load(1, 2, 3), Halt()]
    assert encode_program(program) == (encode(Load(1, 2, 3)), 0)
