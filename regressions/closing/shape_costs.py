"""What every verifier shape costs, beside the plain steps that it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.capra.program import Program
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import MAX_CONTEXT, make_target
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from refmodel.machine.decoded_program import decode_program
from sequences.verifier_block import every_shape


@dataclass(frozen=True)
class ShapeCost:
    """One block of `rows` tokens over `cached` rows."""

    cached: int
    rows: int
    cycles: int
    """Of the block."""
    plain_cycles: int
    """Of the plain steps over `cached`, `cached` + 1, … rows that decode the same tokens."""

    @property
    def speedup(self) -> float:
        """Of the block against them, if every guess in it is accepted."""
        return self.plain_cycles / self.cycles


def shape_costs(target: str) -> list[ShapeCost]:
    """Return all 484 shapes of a kind of target, by the cycle law; time never depends on data."""
    programs = ProgramFamily(make_target(target), "model", MAX_CONTEXT).for_plain()
    steps = [_cycles(programs.plain(context)) for context in range(1, MAX_CONTEXT + 1)]
    return [
        ShapeCost(cached, rows, _cycles(programs.verifier(cached, rows)), sum(steps[cached : cached + rows]))
        for cached, rows in every_shape()
    ]


def _cycles(program: Program) -> int:
    return decode_program(program.code, DEFAULT_READ_LATENCY).counters.cyc_total
