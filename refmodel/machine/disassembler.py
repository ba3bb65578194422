"""A bundle as assembly text; `assembler.assemble` turns it back into the same bundle exactly.

Only a source map is not part of the text: it is shown in comments, and what is assembled has none, since
whoever edits the text moves instructions away from what a map says of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from refmodel.isa.encoding import WORD_BITS, decode, encode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Illegal
from refmodel.isa.syntax import format_instruction
from refmodel.machine.bundle import Bundle, Expectation
from refmodel.machine.result import WordArray
from refmodel.printable import printable
from refmodel.source_map.instruction_source import InstructionSource

WORDS_PER_LINE = 8

_CODE_COLUMNS = 48


def disassemble(bundle: Bundle) -> str:
    """Return the text of a bundle: its directives, its instructions and its data.

    Each instruction has a line, with its pc and what the source map says of it in a comment.
    A word that no mnemonic yields (an illegal opcode, reserved bits set) becomes `.word`. Data lines of zeros
    are left out, except the last, which shows how long the image is.
    """
    return "\n".join(_lines(bundle)) + "\n"


def disassemble_word(word: int) -> str:
    """Return the line of one instruction word, without a comment."""
    instruction = decode(word)
    if isinstance(instruction, Illegal) or encode(instruction) != word:
        return f".word {word:0{WORD_BITS // 4}x}"
    return format_instruction(instruction)


def _lines(bundle: Bundle) -> Iterator[str]:
    if bundle.note:
        yield f".note {json.dumps(bundle.note)}"
    yield f".ext_words {bundle.ext_words}"
    yield f".read_latency {bundle.read_latency}"
    yield ""
    for pc, word in enumerate(bundle.code):
        source = None if bundle.source_map is None else bundle.source_map.instruction(pc)
        yield f"{disassemble_word(word):{_CODE_COLUMNS}}# {_comment(pc, word, source)}"
    yield ""
    yield from _data_lines(".ext", bundle.ext)
    if bundle.scratchpad is not None:
        yield from _data_lines(".spad", bundle.scratchpad) if len(bundle.scratchpad) else [".spad 0:"]
    if bundle.expect is not None:
        yield from _expectation_lines(bundle.expect)


def _comment(pc: int, word: int, source: InstructionSource | None) -> str:
    """Return the pc and all that is to be said of an instruction, on one line."""
    instruction = decode(word)
    comment = [str(pc)]
    if source is not None:
        comment.append(printable(source))
    if not isinstance(instruction, Illegal) and encode(instruction) != word:
        comment.append(f"{format_instruction(instruction)} with reserved bits set")
    reason = fault_reason(instruction)
    if reason:
        comment.append(f"faults, {reason}")
    return ": ".join(comment)


def _data_lines(directive: str, words: WordArray) -> Iterator[str]:
    signed = words.astype(np.uint32).view(np.int32)
    for address in range(0, len(words), WORDS_PER_LINE):
        line = signed[address : address + WORDS_PER_LINE]
        if line.any() or address + WORDS_PER_LINE >= len(words):
            yield f"{directive} {address}: {' '.join(map(str, line.tolist()))}"


def _expectation_lines(expect: Expectation) -> Iterator[str]:
    values = {"halted": int(expect.halted), "fault": int(expect.fault), **vars(expect.counters)}
    yield ".expect " + " ".join(f"{key}={value}" for key, value in values.items())
    yield from _data_lines(".expect_ext", expect.ext)
    yield from _data_lines(".expect_spad", expect.scratchpad)
