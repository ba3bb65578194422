"""The static checker: what it must find, what it must let pass."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.isa.checker import Finding, ProgramError, Severity, check_program, refuse_errors
from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Opcode,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)

UNWRITTEN = np.zeros(4096, dtype=np.bool_)
WRITTEN = np.ones(4096, dtype=np.bool_)


def findings(*instructions: Instruction, ext_words: int = 8192, defined: bool | None = None) -> list[str]:
    initially = None if defined is None else (WRITTEN if defined else UNWRITTEN)
    code = encode_program([*instructions, Halt()])
    return [str(finding) for finding in check_program(code, ext_words, initially)]


def test_a_good_program_has_no_findings() -> None:
    program = (
        Load(0, 0, 64),
        MatMul(100, 0, 16, 4, 4, 4, False, 4, 4, 4),
        Requantize(100, 100, 16, 2**23, 23),
        Softmax(200, 100, 4),
        VectorAdd(300, 100, 104, 8),
        ArgMax(100, 100, 4),
        Store(300, 8184, 8),
    )
    assert findings(*program, defined=False) == []


@pytest.mark.parametrize(
    ("instruction", "text", "source"),
    [
        (Requantize(10, 12, 4, 1, 1), "RQ 10 12 4 1 1 0", "src"),
        (Softmax(4095, 0, 4), "SM 4095 0 4", "src"),  # overlaps across the end of the scratchpad
        (Softmax(0, 2048, 2049), "SM 0 2048 2049", "src"),
        (VectorAdd(10, 100, 13, 4), "VADD 10 100 13 4", "src2"),
        (VectorAdd(10, 7, 10, 4), "VADD 10 7 10 4", "src1"),
    ],
)
def test_partial_overlaps_are_errors(instruction: Instruction, text: str, source: str) -> None:
    assert findings(instruction) == [
        f"error: pc 0: {text}: dst overlaps {source} partially, so dst is undefined; "
        "make them identical or disjoint"
    ]


@pytest.mark.parametrize(
    "instruction",
    [Requantize(10, 10, 4, 1, 1), Requantize(10, 14, 4, 1, 1), Softmax(14, 10, 4), VectorAdd(10, 10, 14, 4)],
)
def test_identical_and_disjoint_regions_pass(instruction: Instruction) -> None:
    assert findings(instruction) == []


def test_external_accesses_beyond_the_limit_are_errors() -> None:
    assert findings(Load(0, 90, 10), ext_words=100) == []
    assert findings(Load(0, 91, 10), ext_words=100) == [
        "error: pc 0: LD 0 91 10: reads external word 100, legal is 0..99 (ext_words)"
    ]
    assert findings(Store(0, 65530, 10), ext_words=100) == [
        "error: pc 0: ST 0 65530 10: writes external words 65530..65535 (6 words), legal is 0..99 (ext_words)"
    ]
    assert findings(Store(0, 65530, 10), ext_words=65536) == []


def test_reads_of_unwritten_words_are_errors_once() -> None:
    assert findings(ArgMax(0, 10, 4), ArgMax(0, 10, 4), defined=False) == [
        "error: pc 0: AMAX 0 10 4: src reads scratchpad words 10..13 (4 words), never written"
    ]
    assert findings(Load(10, 0, 3), ArgMax(0, 10, 4), defined=False) == [
        "error: pc 1: AMAX 0 10 4: src reads scratchpad word 13, never written"
    ]
    assert findings(MatMul(0, 50, 60, 1, 2, 1, False, 0, 4, 0), defined=False) == [
        "error: pc 0: MM 0 50 60 1 2 1 0 0 4 0: A reads scratchpad words 50..51 (2 words), never written",
        "error: pc 0: MM 0 50 60 1 2 1 0 0 4 0: B reads scratchpad words 60..64 (2 words), never written",
    ]


def test_reads_are_only_checked_when_it_is_known_what_is_written() -> None:
    assert findings(ArgMax(0, 10, 4), defined=True) == []
    assert findings(ArgMax(0, 10, 4), defined=None) == []


def test_the_given_mask_is_left_alone() -> None:
    mask = np.zeros(4096, dtype=np.bool_)
    check_program(encode_program([Load(0, 0, 9), Halt()]), 8192, mask)
    assert not mask.any()


def test_faults_are_notes_and_end_the_check() -> None:
    assert findings(Illegal(15)) == [
        f"note: pc 0: illegal opcode 15: faults: opcode 15 is not an operation, legal is 0..{len(Opcode) - 1}"
    ]
    assert findings(Load(0, 0, 0), Softmax(0, 1, 4)) == [
        "note: pc 0: LD 0 0 0: faults: len is 0, legal is 1..4095",
        "note: pc 0: LD 0 0 0: the 2 words after it are never executed",
    ]


def test_reserved_bits_are_a_note() -> None:
    assert [str(finding) for finding in check_program((1, 0), 8192)] == [
        "note: pc 0: HALT: reserved bits are set; the chip ignores them"
    ]


def test_running_past_the_end_is_a_note() -> None:
    code = encode_program([Load(0, 0, 1)])
    assert check_program(code, 8192) == [
        Finding(Severity.NOTE, 1, "HALT", "the program runs past its last word, where every word is HALT")
    ]


def test_running_past_the_last_word_of_the_memory_is_a_note() -> None:
    code = encode_program([Load(0, 0, 1)]) * 65536
    assert [str(each) for each in check_program(code, 8192)] == [
        "note: pc 0: LD 0 0 1: runs again: the pc wraps"
    ]


def test_a_program_longer_than_the_instruction_memory_is_an_error() -> None:
    longest = encode_program([Load(0, 0, 1)] * 65535 + [Halt()])
    assert check_program(longest, 8192) == []
    too_long = check_program((longest[0], *longest), 8192)
    assert [(finding.severity, finding.pc) for finding in too_long] == [(Severity.ERROR, 65536)]
    assert "has 65537 words, the instruction memory holds 65536" in too_long[0].message


def test_a_program_is_too_long_even_if_it_halts_early() -> None:
    (finding,) = check_program((0,) * 65537, 8192)
    assert (finding.severity, finding.pc) == (Severity.ERROR, 65536)


def test_refuse_errors_lets_notes_pass_and_lists_errors() -> None:
    refuse_errors(check_program(encode_program([Illegal(15)]), 8192))
    code = encode_program([Softmax(0, 1, 4), Load(0, 9000, 1), Halt()])
    with pytest.raises(ProgramError, match=r"(?s)pc 0: SM.*pc 1: LD") as caught:
        refuse_errors(check_program(code, 8192))
    assert len(caught.value.findings) == 2
