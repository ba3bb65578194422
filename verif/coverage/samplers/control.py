"""start and rst, by what the chip was doing: the bits that hdl/tb/ga2_tb_run_control.sv keeps of each run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from refmodel.isa.instructions import Opcode
from verif.coverage.dimension import IndexArray
from verif.coverage.model import CoverageModel
from verif.coverage.passed_program import PassedProgram

OUTSIDE, FETCH, ISSUE, BUSY = range(4)
"""Groups of situations, 16 opcodes each."""

OPCODES = 16

OUTSIDE_STATES = ("idle", "halted", "halted by a fault")
"""What the opcode means outside a program."""


def sample(model: CoverageModel, program: PassedProgram) -> Iterator[IndexArray]:
    """Yield the bins that start and rst hit in a run."""
    yield from _hits(model, program.met_start, program.met_reset, program.passes)


@lru_cache(maxsize=512)
def _hits(model: CoverageModel, met_start: int, met_reset: int, passes: int) -> tuple[IndexArray, ...]:
    """Nearly all runs are alike in this."""
    hits = []
    for state in met_states(met_start):
        honoured = state in OUTSIDE_STATES
        hits.append(model["start_honoured" if honoured else "start_lost"].named(state))
    hits += [model["reset_state"].named(state) for state in met_states(met_reset)]
    item = model["run_passes"]
    hits.append(item.hits(item.dimensions[0].indices(passes)))
    return tuple(hits)


def met_states(met: int) -> tuple[str, ...]:
    """Return the states whose bits are set in an element of `met`, each once."""
    set_bits = (bit for bit in range(4 * OPCODES) if met >> bit & 1)
    return tuple(dict.fromkeys(_state(*divmod(bit, OPCODES)) for bit in set_bits))


def _state(group: int, opcode: int) -> str:
    match group:
        case 0:
            return OUTSIDE_STATES[opcode]
        case 1:
            return "FETCH"
        case 2 if opcode == Opcode.HALT:
            return "ISSUE of HALT"
        case 2:
            return "ISSUE" if opcode < len(Opcode) else "ISSUE of a bad opcode"
        case _:
            return Opcode(opcode).name
