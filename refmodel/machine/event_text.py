"""Events and operands for people: numbers signed, long vectors cut, undefined bits as x."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from refmodel.isa.instructions import Opcode
from refmodel.isa.regions import Region
from refmodel.machine.definedness import Mask
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Request, Retire, Write
from refmodel.machine.result import Counters, WordArray
from refmodel.machine.traced_instruction import OperandWords

SHOWN_WORDS = 8
"""Words of a vector that are written out; the rest is counted."""

_NIBBLES = 8
_SIGN_BIT = 0x8000_0000

SHORT_MEMORY = {Memory.SCRATCHPAD: "scratchpad", Memory.EXT: "ext"}


def event_text(event: Event) -> str:
    """Return an event as one line, such as `scratchpad[20] := 7 (0x00000007)  pc 3  cycle 57`."""
    match event:
        case Write():
            what = f"{SHORT_MEMORY[event.memory]}[{event.address}] := {word_text(event.data, event.unknown)}"
            return f"{what}  pc {event.pc}  {event.span}"
        case Retire():
            busy = f"busy {busy_text(event)}"
            return f"retire {mnemonic(event.opcode)}  {busy}  pc {event.pc}  {CycleSpan.at(event.cycle)}"
        case End():
            return f"{event.kind}  pc {event.pc}  {CycleSpan.at(event.cycle)}"
        case Request():
            return f"request of ext[{event.address}]  pc {event.pc}  {CycleSpan.at(event.cycle)}"


def busy_text(retire: Retire) -> str:
    """Return the busy cycles of a retire by unit, those that moved: `141 mm`."""
    cycles = {"mm": retire.busy_mm, "dma": retire.busy_dma, "vec": retire.busy_vec}
    return " + ".join(f"{count} {unit}" for unit, count in cycles.items() if count) or "0"


def counters_text(counters: Counters) -> str:
    """Return the five counters by name."""
    return "  ".join(f"{name} {value}" for name, value in asdict(counters).items())


def mnemonic(opcode: int) -> str:
    """Return the assembly name of an opcode."""
    return Opcode(opcode).name if opcode in list(Opcode) else f"opcode {opcode}"


def word_text(data: int, unknown: int = 0) -> str:
    """Return a word in decimal, signed, and in hexadecimal; digits with an unknown bit are x."""
    if unknown & ALL_BITS == ALL_BITS:
        return "undefined"
    digits = [
        "x" if unknown >> 4 * place & 0xF else f"{data >> 4 * place & 0xF:x}"
        for place in reversed(range(_NIBBLES))
    ]
    hexadecimal = "0x" + "".join(digits)
    return hexadecimal if unknown else f"{signed(data)} ({hexadecimal})"


def signed(word: int) -> int:
    """Return a 32-bit word as a signed number."""
    return (word & ALL_BITS ^ _SIGN_BIT) - _SIGN_BIT


def words_text(words: WordArray, defined: Mask, shown: int = SHOWN_WORDS) -> str:
    """Return the first words of a vector, signed, and how many there are if some are left out."""
    values = words.ravel().astype(np.uint32).view(np.int32).tolist()
    pairs = zip(values[:shown], defined.ravel().tolist(), strict=False)
    text = " ".join(str(value) if known else "x" for value, known in pairs)
    return text if len(values) <= shown else f"{text} … ({len(values)} words)"


def operand_text(operand: OperandWords) -> str:
    """Return where an operand lies and what it holds."""
    return f"{region_text(operand.memory, operand.region)}: {words_text(operand.words, operand.defined)}"


def region_text(memory: Memory, region: Region) -> str:
    """Return which words a region covers: `scratchpad 8..23`, `scratchpad 8: 4×16, strides 20, 1`."""
    start = f"{memory.value} {region.start}"
    if len(region.shape) == 2:
        strides = ", ".join(map(str, region.strides))
        return f"{start}: {region.shape[0]}×{region.shape[1]}, strides {strides}"
    last = region.last % region.memory_words
    return start if region.shape == (1,) else f"{start}..{last}{' (wraps)' if region.wraps else ''}"
