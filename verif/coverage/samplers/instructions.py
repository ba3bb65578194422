"""Sizes, order, addresses and ends of the instruction stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from refmodel.isa.encoding import encode
from refmodel.isa.instructions import Instruction, MatMul, Opcode
from refmodel.isa.limits import IMEM_WORDS
from refmodel.isa.regions import Footprint, Region
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import End, ExecutedProgram
from verif.coverage.instruction_names import length_of, mnemonic
from verif.coverage.model import CoverageModel


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the words and the log of a program hit."""
    yield from _sizes(model, program)
    yield from _order(model, program)
    yield from _addresses(model, program)
    yield from _reserved_bits(model, program)
    yield from _end(model, program)


def _sizes(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    item = model["opcode_size"]
    opcodes, lengths = item.dimensions
    for instruction in program.instructions:
        if not isinstance(instruction, MatMul):
            yield item.hits(opcodes.index(mnemonic(instruction)), lengths.indices(length_of(instruction)))


def _order(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    names = ["start", *(mnemonic(instruction) for instruction in program.instructions)]
    if program.end is End.HALT:
        names.append(Opcode.HALT.name)
    for first, second in pairwise(names):
        yield model["opcode_pair"].named(first, second)


def _addresses(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    for instruction, touched in zip(program.instructions, program.footprints, strict=True):
        for operand, region in _operands(instruction, touched):
            yield model["address_wrap"].named(operand, _place(region))


def _operands(instruction: Instruction, touched: Footprint) -> Iterator[tuple[str, Region]]:
    opcode = mnemonic(instruction)
    for name, region in touched.reads.items():
        transposed = isinstance(instruction, MatMul) and instruction.transpose_b and name == "B"
        yield f"{opcode} {name}{' transposed' if transposed else ''}", region
    for name, written in (
        ("dst", touched.writes),
        ("src", touched.ext_reads),
        ("dst", touched.ext_writes),
    ):
        if written is not None:
            yield f"{opcode} {name}", written


def _place(region: Region) -> str:
    if region.wraps:
        return "across the end"
    return "up to the last word" if region.last == region.memory_words - 1 else "inside"


def _reserved_bits(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    executed = list(zip(program.words, program.instructions, strict=True))
    if program.end is End.HALT:
        executed.append((program.last_word, program.last))
    for word, instruction in executed:
        if word != encode(instruction):
            yield model["reserved_bits"].named(mnemonic(instruction))


def _end(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    completed = len(program.instructions)
    if program.end is not End.RESET or completed >= IMEM_WORDS:
        item = model["program_length"]
        yield item.hits(item.dimensions[0].indices(completed))
    if program.end is not End.HALT:
        return
    item = model["program_end"]
    if program.code_ended:
        yield item.named("the end of its code")
    else:
        yield item.named("a HALT with other bits set" if program.last_word else "an all-zero word")
