"""The compiler's features and the steps of a decoding, from the source map of a program that ran to its HALT.

The instructions are those that the RTL executed; the map says what each of them is for.
"""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import Instruction, MatMul, Requantize, VectorAdd
from refmodel.isa.limits import MAX_TILE
from refmodel.source_map.instruction_source import InstructionSource, Service
from refmodel.source_map.places import ScratchpadPlace
from refmodel.source_map.source_map import SourceMap
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.instruction_names import mnemonic
from verif.coverage.model import CoverageModel

SERVICE_NAMES: dict[Service, str] = {
    "load": "an input or weight",
    "store": "an output",
    "matmul": "a product",
    "softmax": "a softmax",
    "add": "a sum",
    "argmax": "an argmax",
}


def sample(model: CoverageModel, program: ExecutedProgram, source_map: SourceMap) -> Iterator[IndexArray]:
    """Yield the bins that a compiled program hits."""
    executed = [
        (instruction, source)
        for instruction, source in zip(program.instructions, source_map.instructions, strict=False)
        if source is not None
    ]
    for instruction, source in executed:
        yield model["compiled_instruction"].named(_what(instruction, source))
        if isinstance(instruction, MatMul):
            yield from _product(model, instruction, source)
        if isinstance(instruction, Requantize) and source.service == "matmul":
            yield model["fused_relu"].named("a fused relu" if instruction.relu else "no relu")
    yield from _sums(model, executed)
    for view in source_map.views:
        for operand in view.operands:
            yield model["view"].named(view.kind, operand)
    for number, place in enumerate(source_map.scratchpad):
        yield model["buffer_reuse"].named(_words_of(place, source_map.scratchpad[:number]))
    yield from _role(model, source_map)


def _what(instruction: Instruction, source: InstructionSource) -> str:
    if isinstance(instruction, Requantize) and source.service == "add":
        return "RQ of an operand for a sum"
    return f"{mnemonic(instruction)} of {SERVICE_NAMES[source.service]}"


def _product(model: CoverageModel, tile: MatMul, source: InstructionSource) -> Iterator[IndexArray]:
    """What a product looks like is told once, by the MM of its last tile."""
    rows, columns = source.tensor.shape
    if (source.rows.stop, source.columns.stop) != (rows, columns):
        return
    remainders = model["tile_remainder"]
    yield remainders.hits(
        remainders.dimensions[0].indices(len(source.rows)),
        remainders.dimensions[1].indices(len(source.columns)),
    )
    counts = model["tile_count"]
    yield counts.hits(
        counts.dimensions[0].indices(-(-rows // MAX_TILE)),
        counts.dimensions[1].indices(-(-columns // MAX_TILE)),
    )
    depths = model["product_depth"]
    yield depths.hits(
        depths.dimensions[0].indices(tile.k),
        depths.dimensions[1].index("transposed" if tile.transpose_b else "plain"),
    )


def _sums(
    model: CoverageModel, executed: list[tuple[Instruction, InstructionSource]]
) -> Iterator[IndexArray]:
    """The RQs of a sum's operands stand directly before its VADD."""
    copies: set[int] = set()
    for instruction, source in executed:
        if source.service != "add":
            continue
        if isinstance(instruction, Requantize):
            copies.add(instruction.dst)
        elif isinstance(instruction, VectorAdd):
            operands = (instruction.src1, instruction.src2)
            yield model["rescaled_operand"].named(
                *("rescaled" if address in copies else "as it was" for address in operands)
            )
            copies.clear()


def _words_of(place: ScratchpadPlace, older: tuple[ScratchpadPlace, ...]) -> str:
    """Return whose words a tensor takes over; one that is requantized in place is no other tensor."""
    dead = {
        (each.address, each.tensor.words)
        for each in older
        if each.last < place.first
        and each.address < place.address + place.tensor.words
        and place.address < each.address + each.tensor.words
    }
    if not dead:
        return "words never used before"
    if (place.address, place.tensor.words) in dead:
        return "the words of a dead one"
    taken = range(place.address, place.address + place.tensor.words)
    used = [range(address, address + words) for address, words in dead]
    if any(taken[0] in each and taken[-1] in each for each in used):
        return "part of the words of a dead one"
    if all(any(address in each for each in used) for address in taken):
        return "words of several dead ones"
    return "words of the dead and words never used before"


def _role(model: CoverageModel, source_map: SourceMap) -> Iterator[IndexArray]:
    role = source_map.role
    if role is None:
        return
    match role.step:
        case "verifier":
            item = model["verifier_shape"]
            target, cached, rows = item.dimensions
            yield item.hits(target.index(role.target), cached.indices(role.cached), rows.indices(role.rows))
            item = model["verifier_block"]
            cached, rows = item.dimensions
            yield item.hits(cached.indices(role.cached), rows.indices(role.rows))
        case "plain":
            item = model["plain_context"]
            target, cached = item.dimensions
            yield item.hits(target.index(role.target), cached.indices(role.cached))
        case "draft":
            yield model["draft_target"].named(role.target)
