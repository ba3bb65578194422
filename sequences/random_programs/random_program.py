"""The typed object of a random program: small, readable, and all that its words follow from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from refmodel.isa.encoding import LAYOUT, OPCODE_LOW, WORD_BITS, encode
from refmodel.isa.instructions import Illegal, Instruction, Opcode
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.bundle import DEFAULT_EXT_WORDS, DEFAULT_READ_LATENCY, Bundle
from refmodel.machine.decoded_program import DecodedProgram, decode_program
from sequences.random_programs.data_region import DataRegion, paint
from sequences.random_programs.draws import Purpose, generator
from sequences.stimulus import PLAIN, Stimulus


@dataclass(frozen=True)
class RandomProgram:
    """A program as instructions and regions of data, with what happens around it.

    Any of them may be changed by hand or by machine; `legality.require_legal` tells whether it is still one
    that a generator may send.
    """

    seed: int
    number: int
    """Both name the program: number `number` of seed `seed`."""
    instructions: tuple[Instruction, ...]
    """All words in their order, those after a HALT or a fault included."""
    ext: tuple[DataRegion, ...] = ()
    """External memory at the start: zeros, and these painted over them one after another."""
    scratchpad: tuple[DataRegion, ...] | None = None
    """The scratchpad at the start in the same way, or None to keep what the program before left."""
    ext_words: int = DEFAULT_EXT_WORDS
    """External words it may touch."""
    read_latency: int = DEFAULT_READ_LATENCY
    """Cycles from a read request to its response."""
    reserved_bits: int | None = None
    """Seed of noise in the bits that no field of an instruction word holds; None leaves them 0."""
    stimulus: Stimulus = PLAIN

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"random/{self.seed}-{self.number}"

    @cached_property
    def code(self) -> tuple[int, ...]:
        """The instruction words, 128 bits each."""
        words = [encode(instruction) for instruction in self.instructions]
        if self.reserved_bits is not None:
            noise = generator(Purpose.RESERVED_BITS, self.reserved_bits)
            for pc, instruction in enumerate(self.instructions):
                words[pc] |= int.from_bytes(noise.bytes(WORD_BITS // 8), "little") & _reserved(instruction)
        return tuple(words)

    @property
    def decoded(self) -> DecodedProgram:
        """The instructions that complete, and when; worked out once, and shared with the model."""
        return decode_program(self.code, self.read_latency)

    def bundle(self) -> Bundle:
        """Return the program as words. Raises Ga2Error where an operand or a memory does not fit."""
        return Bundle(
            code=self.code,
            ext=paint(self.ext, self.ext_words),
            ext_words=self.ext_words,
            read_latency=self.read_latency,
            scratchpad=None if self.scratchpad is None else paint(self.scratchpad, SCRATCHPAD_WORDS),
            note=self.name,
        )


_OPCODE_BITS = 0xF << OPCODE_LOW
_UNUSED_BITS = {
    kind.opcode: ((1 << WORD_BITS) - 1) & ~_OPCODE_BITS & ~sum(field.largest << field.low for field in fields)
    for kind, fields in LAYOUT.items()
}


def _reserved(instruction: Instruction) -> int:
    """Return the bits of an instruction's word that no field holds."""
    if isinstance(instruction, Illegal):
        return _UNUSED_BITS[Opcode.HALT]
    return _UNUSED_BITS[instruction.opcode]
