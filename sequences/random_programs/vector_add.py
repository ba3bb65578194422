"""VADD."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.instructions import VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from sequences.random_programs.addresses import apart_from
from sequences.random_programs.builder import ConstraintError, ProgramBuilder
from sequences.random_programs.data_region import Profile
from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import AddPlacement, AddressKind
from sequences.random_programs.sources import Source, draw_source, provide
from sequences.random_programs.vectors import LONGEST_APART


@dataclass(frozen=True)
class VectorAddConstraint:
    """What a VADD must be; None leaves it to the weights."""

    length: int | None = None
    placement: AddPlacement | None = None
    address: AddressKind | None = None
    """Of the source that is placed first: src2 if dst goes onto that, else src1."""
    data: Profile | None = None
    """Of both sources, which are then fed."""


def vector_add(builder: ProgramBuilder, constraint: VectorAddConstraint = VectorAddConstraint()) -> VectorAdd:
    """Append a VADD, and before it what defines its sources. Raises ConstraintError if it has no room."""
    draws = builder.draws
    one = draw_source(builder, length=constraint.length, address=constraint.address, data=constraint.data)
    length = one.length
    placement = constraint.placement or builder.weights.vector_add.placement.draw(draws)
    possible = _possible(placement, length)
    if constraint.placement is not None and possible is not placement:
        raise ConstraintError(f"VADD of {length} words: there is no room for {placement}")
    destination, src1, src2 = _place(draws, possible, one.start, length)
    provide(builder, one)
    other = src1 if src1 != one.start else src2
    if other != one.start:
        provide(builder, Source(other, length, constraint.data))
    instruction = VectorAdd(destination, src1, src2, length)
    builder.append(instruction)
    return instruction


def _possible(placement: AddPlacement, length: int) -> AddPlacement:
    """Return the placement, or the one to take where a vector is too long or too short for it."""
    if length > LONGEST_APART:
        return AddPlacement.ALL_SAME
    if placement is AddPlacement.OVERLAPPING_SOURCES and (length == 1 or length == LONGEST_APART):
        return AddPlacement.SAME_SOURCES
    return placement


def _place(draws: Draws, placement: AddPlacement, one: int, length: int) -> tuple[int, int, int]:
    """Return dst, src1 and src2, one of the sources being at `one`."""
    match placement:
        case AddPlacement.ALL_SAME:
            return one, one, one
        case AddPlacement.ONTO_FIRST:
            return one, one, apart_from(draws, one, length)
        case AddPlacement.ONTO_SECOND:
            return one, apart_from(draws, one, length), one
        case AddPlacement.SAME_SOURCES:
            return apart_from(draws, one, length), one, one
        case AddPlacement.OVERLAPPING_SOURCES:
            shift = draws.between(1, min(length - 1, SCRATCHPAD_WORDS - 2 * length))
            destination = apart_from(draws, one, length, other_length=length + shift)
            return destination, one, (one + shift) % SCRATCHPAD_WORDS
        case AddPlacement.APART:
            destination = apart_from(draws, one, length)
            return destination, one, apart_from(draws, destination, length)
