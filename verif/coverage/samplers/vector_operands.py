"""RQ, SM, VADD and AMAX: settings and places of operands, whatever their data."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import ArgMax, Requantize, Softmax, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from verif.coverage.dimension import IndexArray
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.model import CoverageModel


def sample(model: CoverageModel, program: ExecutedProgram) -> Iterator[IndexArray]:
    """Yield the bins that the vector instructions of a program hit."""
    for instruction in program.instructions:
        match instruction:
            case Requantize():
                yield from _requantizer_settings(model, instruction)
                yield _place(model, "RQ", instruction.dst == instruction.src)
            case Softmax():
                item = model["sm_length"]
                yield item.hits(item.dimensions[0].indices(instruction.length))
                yield _place(model, "SM", instruction.dst == instruction.src)
            case ArgMax(dst, src, length):
                yield _place(model, "AMAX", (dst - src) % SCRATCHPAD_WORDS < length)
            case VectorAdd():
                yield _addition(model, instruction)
            case _:
                pass


def _requantizer_settings(model: CoverageModel, instruction: Requantize) -> Iterator[IndexArray]:
    shifts = model["rq_shift"]
    yield shifts.hits(
        shifts.dimensions[0].indices(instruction.shift),
        shifts.dimensions[1].index("relu" if instruction.relu else "no relu"),
    )
    mantissas = model["rq_multiplier"]
    yield mantissas.hits(mantissas.dimensions[0].indices(instruction.multiplier))


def _place(model: CoverageModel, opcode: str, inside: bool) -> IndexArray:
    return model["place_of_result"].named(opcode, "in its source" if inside else "apart from its source")


def _addition(model: CoverageModel, instruction: VectorAdd) -> IndexArray:
    dst, first, second = instruction.dst, instruction.src1, instruction.src2
    ahead = (first - second) % SCRATCHPAD_WORDS
    overlap = min(ahead, SCRATCHPAD_WORDS - ahead) < instruction.length
    sources = "are the same" if first == second else "overlap in part" if overlap else "lie apart"
    onto = {
        (False, False): "apart",
        (True, False): "onto src1",
        (False, True): "onto src2",
        (True, True): "onto both",
    }
    return model["vadd_placement"].named(onto[dst == first, dst == second], sources)
