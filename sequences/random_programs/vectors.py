"""SM, VADD and AMAX, and where the result of a vector goes."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import ArgMax, Softmax
from refmodel.isa.limits import SCRATCHPAD_WORDS
from sequences.random_programs.addresses import adjacent_to, apart_from, scratchpad_start
from sequences.random_programs.builder import ConstraintError, ProgramBuilder
from sequences.random_programs.data_region import Profile
from sequences.random_programs.kinds import AddressKind, ArgMaxPlacement, VectorPlacement
from sequences.random_programs.odds import Odds
from sequences.random_programs.sources import Source, draw_source, provide

LONGEST_APART = SCRATCHPAD_WORDS // 2
"""Longest vector that leaves room for another one of its length."""


@dataclass(frozen=True)
class SoftmaxConstraint:
    """What an SM must be; None leaves it to the weights."""

    length: int | None = None
    placement: VectorPlacement | None = None
    address: AddressKind | None = None
    """Of src."""
    data: Profile | None = None
    """Of src, which is then fed."""


@dataclass(frozen=True)
class ArgMaxConstraint:
    """What an AMAX must be; None leaves it to the weights."""

    length: int | None = None
    placement: ArgMaxPlacement | None = None
    address: AddressKind | None = None
    data: Profile | None = None


def place_vector(
    builder: ProgramBuilder,
    source: Source,
    odds: Odds[VectorPlacement],
    required: VectorPlacement | None = None,
) -> int:
    """Return a legal dst for a vector: where `required` says, or where `odds` do and there is room.

    Raises ConstraintError if what is required has no room.
    """
    draws, (start, length) = builder.draws, source.span
    placement = required or odds.draw(draws)
    if length > LONGEST_APART and placement is not VectorPlacement.IN_PLACE:
        if required is not None:
            raise ConstraintError(
                f"two vectors of {length} words cannot be {required}: they share the scratchpad"
            )
        placement = VectorPlacement.IN_PLACE
    match placement:
        case VectorPlacement.IN_PLACE:
            return start
        case VectorPlacement.ADJACENT:
            return adjacent_to(draws, start, length)
        case VectorPlacement.APART:
            kind = builder.weights.operands.scratchpad.draw(draws)
            wanted = scratchpad_start(draws, kind, length)
            if length <= (wanted - start) % SCRATCHPAD_WORDS <= SCRATCHPAD_WORDS - length:
                return wanted
            return apart_from(draws, start, length)


def softmax(builder: ProgramBuilder, constraint: SoftmaxConstraint = SoftmaxConstraint()) -> Softmax:
    """Append an SM, and before it what defines its source."""
    weights = builder.weights.softmax
    data = constraint.data
    if data is None and builder.draws.percent(weights.percent_ties):
        data = Profile.SOFTMAX_TIES
    source = draw_source(builder, length=constraint.length, address=constraint.address, data=data)
    destination = place_vector(builder, source, weights.placement, constraint.placement)
    provide(builder, source)
    instruction = Softmax(destination, source.start, source.length)
    builder.append(instruction)
    return instruction


def argmax(builder: ProgramBuilder, constraint: ArgMaxConstraint = ArgMaxConstraint()) -> ArgMax:
    """Append an AMAX, and before it what defines its source."""
    draws, weights = builder.draws, builder.weights
    source = draw_source(builder, length=constraint.length, address=constraint.address, data=constraint.data)
    if (constraint.placement or weights.argmax.placement.draw(draws)) is ArgMaxPlacement.INSIDE:
        destination = (source.start + draws.below(source.length)) % SCRATCHPAD_WORDS
    else:
        destination = scratchpad_start(draws, weights.operands.scratchpad.draw(draws), 1)
    provide(builder, source)
    instruction = ArgMax(destination, source.start, source.length)
    builder.append(instruction)
    return instruction
