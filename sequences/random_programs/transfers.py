"""LD and ST."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import Load, Store
from sequences.random_programs.addresses import external_start, scratchpad_start
from sequences.random_programs.builder import ProgramBuilder
from sequences.random_programs.kinds import AddressKind
from sequences.random_programs.sources import draw_source, provide


@dataclass(frozen=True)
class TransferConstraint:
    """What an LD or ST must be; None leaves it to the weights."""

    length: int | None = None
    scratchpad: AddressKind | None = None
    external: AddressKind | None = None


def load(builder: ProgramBuilder, constraint: TransferConstraint = TransferConstraint()) -> Load:
    """Append an LD of whatever external memory holds there."""
    draws, operands = builder.draws, builder.weights.operands
    length = builder.draw_length() if constraint.length is None else constraint.length
    destination = constraint.scratchpad or operands.scratchpad.draw(draws)
    source = constraint.external or operands.external.draw(draws)
    instruction = Load(
        scratchpad_start(draws, destination, length),
        external_start(draws, source, length, builder.ext_words),
        length,
    )
    builder.append(instruction)
    return instruction


def store(builder: ProgramBuilder, constraint: TransferConstraint = TransferConstraint()) -> Store:
    """Append an ST, and before it what defines its source."""
    draws = builder.draws
    source = draw_source(builder, length=constraint.length, address=constraint.scratchpad)
    provide(builder, source)
    kind = constraint.external or builder.weights.operands.external.draw(draws)
    destination = external_start(draws, kind, source.length, builder.ext_words)
    instruction = Store(source.start, destination, source.length)
    builder.append(instruction)
    return instruction
