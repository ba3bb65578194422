"""Bundles as text, both ways, and a message with a line number for whatever has no meaning."""

from __future__ import annotations

import pytest
from hypothesis import given

from refmodel.isa.encoding import encode, encode_program
from refmodel.isa.instructions import Halt, Illegal, Load, MatMul, Opcode, Store
from refmodel.machine.assembler import AssemblyError, assemble
from refmodel.machine.bundle import Bundle, Expectation
from refmodel.machine.disassembler import disassemble, disassemble_word
from refmodel.machine.result import Counters
from refmodel.machine.tests.bundles import any_bundle, assert_same_bundle
from refmodel.machine.tests.helpers import words
from refmodel.source_map.instruction_source import InstructionSource, whole
from refmodel.source_map.source_map import SourceMap
from refmodel.source_map.tensor import Tensor


@given(any_bundle)
def test_assemble_reverses_disassemble(bundle: Bundle) -> None:
    assert_same_bundle(assemble(disassemble(bundle)), bundle)


def test_text_hand_written() -> None:
    text = """
        .note "a # in a note"   # and a remark
        .ext_words 0x100
        .read_latency 3
        LD 0 0x10 3             # load
        # nothing here
        .word f0000000000000000000000000000001
        .word 0x1
        HALT
        .ext 0x10: 1 2 -3
        .ext 0: 0xFFFFFFFF
        .spad 2: 7 -1
        .expect halted=1 fault=1 cyc_total=14 cyc_mm=0 cyc_dma=10 cyc_vec=0 n_inst=1
        .expect_ext 1: 5
        .expect_spad 0: 6
    """
    expected = Bundle(
        code=(encode(Load(0, 16, 3)), 15 << 124 | 1, 1, 0),
        ext=words([-1, *[0] * 15, 1, 2, -3]),
        ext_words=256,
        read_latency=3,
        scratchpad=words([0, 0, 7, -1]),
        expect=Expectation(True, True, Counters(14, 0, 10, 0, 1), words([0, 5]), words([6])),
        note="a # in a note",
    )
    assert_same_bundle(assemble(text), expected)


def test_defaults_are_those_of_a_bundle() -> None:
    assert_same_bundle(assemble(""), Bundle(code=(), ext=words([])))
    assert_same_bundle(assemble("HALT\r\n"), Bundle(code=(0,), ext=words([])))


def test_an_empty_scratchpad_is_not_a_missing_one() -> None:
    assert assemble(".spad 0:").scratchpad is not None
    assert assemble(".ext 0: 1").scratchpad is None


def test_disassembly_for_people() -> None:
    code = encode_program([Load(0, 16, 3), MatMul(1, 2, 3, 0, 1, 1), Illegal(15), Halt()])
    bundle = Bundle((*code[:3], 5, 0), ext=words([1, -2, *[0] * 20]), note="remark")
    assert disassemble(bundle).splitlines() == [
        '.note "remark"',
        ".ext_words 8192",
        ".read_latency 8",
        "",
        "LD 0 16 3                                       # 0",
        "MM 1 2 3 0 1 1 0 0 0 0                          # 1: faults, M is 0, legal is 1..4",
        ".word f0000000000000000000000000000000          "
        f"# 2: faults, opcode 15 is not an operation, legal is 0..{len(Opcode) - 1}",
        ".word 00000000000000000000000000000005          # 3: HALT with reserved bits set",
        "HALT                                            # 4",
        "",
        ".ext 0: 1 -2 0 0 0 0 0 0",
        ".ext 16: 0 0 0 0 0 0",
    ]


def test_disassembly_shows_the_source_map_and_assembly_has_none() -> None:
    tensor = Tensor("scores\n#", (1, 8), 1 / 16, first_row=2)
    sources = (
        whole("load", "x", Tensor("x", (2, 3), 1.0)),
        InstructionSource("matmul", "scores", tensor, range(1), range(4, 8)),
        whole("add", "h", Tensor("h", (2, 3), 1.0)),
        None,
    )
    code = encode_program([Load(0, 16, 6), MatMul(1, 2, 3, 0, 1, 1), Halt(), Halt()])
    bundle = Bundle((*code[:2], 5, 0), ext=words([]), make_source_map=lambda: SourceMap(sources, (), ()))
    text = disassemble(bundle)
    assert [line.partition("# ")[2] for line in text.splitlines() if "# " in line] == [
        "0: load of x",
        "1: scores\\n#[row 2], columns 4..7: faults, M is 0, legal is 1..4",
        "2: h: HALT with reserved bits set",
        "3",
    ]
    assert assemble(text).code == bundle.code
    assert assemble(text).source_map is None


def test_disassemble_word_keeps_reserved_bits() -> None:
    word = encode(Store(1, 2, 3))
    assert disassemble_word(word) == "ST 1 2 3"
    assert disassemble_word(word | 1 << 123) == f".word {word | 1 << 123:032x}"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("HALT\n\nMN 1 2 3", 3, "line 3: unknown mnemonic 'MN'.*nearest is MM"),
        ("LD 1 2 65536", 1, "line 1: LD: field len is 65536, legal is 0..65535"),
        ("LD 4096 0 1", 1, "field dst is 4096, legal is 0..4095"),
        ("LD 0 -1 1", 1, "field src is -1, legal is 0..65535"),
        ("LD 1 2", 1, "LD has 2 operands, expected 3: LD dst src len"),
        (".extt 0: 1", 1, "unknown directive '.extt'; legal are .word.*nearest is .ext"),
        (".word 123g", 1, "'0x123g' is not a number"),
        (".word", 1, ".word '' is not a word of 1..32 hexadecimal digits"),
        (".word 1 2", 1, "is not a word of 1..32 hexadecimal digits"),
        (f".word {'1' * 33}", 1, "is not a word of 1..32 hexadecimal digits"),
        (".ext 5 6", 1, "'5 6' has no address"),
        (".ext x: 6", 1, "'x' is not a number"),
        (".ext 0: 1 2\n.ext 1: 3", 2, "word 1 was already given in line 1"),
        (".ext 0: 4294967296", 1, "word 4294967296 is out of range"),
        (".ext 0: -2147483649", 1, "word -2147483649 is out of range"),
        (".ext -1: 1", 1, "at address -1, legal is 0..65535"),
        (".ext 65535: 1 2", 1, "'2' is at address 65536, legal is 0..65535"),
        (".spad 4095: 1 2", 1, "'2' is at address 4096, legal is 0..4095"),
        ("\n.ext 8192: 1", 2, ".ext reaches word 8192, legal is 0..8191"),
        (".ext 9: 1 2\n.ext_words 10", 1, ".ext reaches word 10, legal is 0..9"),
        (".ext_words 0", 1, ".ext_words is 0, legal is 1..65536"),
        (".ext_words", 1, "'' is not a number"),
        (".read_latency 4096", 1, ".read_latency is 4096, legal is 1..4095"),
        (".read_latency 8\n.read_latency 8", 2, ".read_latency was already given in line 1"),
        (".note text", 1, "is not one JSON string"),
        ('.note "a" "b"', 1, "is not one JSON string"),
        (".note 5", 1, "is not one JSON string"),
        (f".note {'9' * 5000}", 1, "is not one JSON string"),
        (f".note {'[' * 100_000}", 1, "is not one JSON string"),
        (f".ext 0x{'f' * 4000}: 1", 1, "has 4002 characters"),
        (".expect halted=1", 1, ".expect lacks fault, cyc_total"),
        (".expect halt=1", 1, "'halt=1': legal is each of halted, fault"),
        (".expect halted=2", 1, ".expect halted is 2, legal is 0..1"),
        (".expect halted=1 halted=1", 1, "legal is each of .* once"),
        ("HALT\n.expect_spad 0: 1", 2, ".expect_spad without .expect"),
        ("HALT\n" * 65537, 65537, "longer than the instruction memory, 65536 words"),
    ],
)
def test_messages(text: str, line: int, message: str) -> None:
    with pytest.raises(AssemblyError, match=message) as caught:
        assemble(text)
    assert caught.value.line == line
