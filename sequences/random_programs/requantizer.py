"""RQ, with exact ties of either sign where they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from refmodel.isa.instructions import Requantize
from sequences.random_programs.builder import ConstraintError, ProgramBuilder
from sequences.random_programs.data_region import LARGEST_TIE_EXPONENT, Profile
from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import AddressKind, VectorPlacement
from sequences.random_programs.sources import draw_source, provide
from sequences.random_programs.vectors import place_vector

MULTIPLIER_BITS = 24

ODD_FACTORS = (1, 1, 1, 3, 5, 7, 11, 63)
"""Odd parts of mantissas for ties; small ones, so that not all of the ties are clamped."""


class Tie(Enum):
    """Which exact ties an RQ meets: accumulators whose quotient ends in exactly one half."""

    BOTH = Profile.TIES
    POSITIVE = Profile.POSITIVE_TIES
    NEGATIVE = Profile.NEGATIVE_TIES


@dataclass(frozen=True)
class RequantizeConstraint:
    """What an RQ must be; None leaves it to the weights."""

    length: int | None = None
    multiplier: int | None = None
    shift: int | None = None
    relu: bool | None = None
    placement: VectorPlacement | None = None
    address: AddressKind | None = None
    """Of src."""
    data: Profile | None = None
    """Of src, which is then fed."""
    tie: Tie | None = None
    """Every word of src is such a tie; excludes `data`."""


def requantize(
    builder: ProgramBuilder, constraint: RequantizeConstraint = RequantizeConstraint()
) -> Requantize:
    """Append an RQ, and before it what defines its source. Raises ConstraintError where a tie cannot be."""
    draws, weights = builder.draws, builder.weights.requantizer
    tie = constraint.tie
    free = (constraint.multiplier, constraint.shift, constraint.data) == (None, None, None)
    if tie is None and free and draws.percent(weights.percent_ties):
        tie = draws.element(tuple(Tie))
    if tie is None:
        multiplier, shift, exponent, data = constraint.multiplier, constraint.shift, 0, constraint.data
        if multiplier is None:
            multiplier = weights.multiplier.draw(draws)
        if shift is None:
            shift = weights.shift.draw(draws)
    else:
        multiplier, shift = _tied_scale(draws, tie, constraint.multiplier, constraint.shift)
        exponent, data = _required_exponent(multiplier, shift, tie), tie.value
    relu = draws.percent(weights.percent_relu) if constraint.relu is None else constraint.relu
    source = draw_source(
        builder, length=constraint.length, address=constraint.address, data=data, exponent=exponent
    )
    destination = place_vector(builder, source, weights.placement, constraint.placement)
    provide(builder, source)
    instruction = Requantize(destination, source.start, source.length, multiplier, shift, relu)
    builder.append(instruction)
    return instruction


def tie_exponent(multiplier: int, shift: int) -> int | None:
    """Return e such that exactly the odd multiples of 2^e are ties of an RQ, or None if no word is.

    acc·m / 2^s ends in one half iff acc·m is an odd multiple of 2^(s−1). With m = odd·2^t that is so iff acc
    is an odd multiple of 2^(s−1−t), which a signed word of 32 bits can be up to 2^31.
    """
    if multiplier == 0:
        return None
    exponent = shift - 1 - _twos(multiplier)
    return exponent if 0 <= exponent <= LARGEST_TIE_EXPONENT else None


def _twos(multiplier: int) -> int:
    """Return how often 2 divides a mantissa."""
    return (multiplier & -multiplier).bit_length() - 1


def _required_exponent(multiplier: int, shift: int, tie: Tie) -> int:
    exponent = tie_exponent(multiplier, shift)
    if exponent is None or (tie is Tie.POSITIVE and exponent == LARGEST_TIE_EXPONENT):
        raise ConstraintError(
            f"RQ: no {tie.name.lower()} tie exists with m={multiplier} s={shift}; s must exceed by 1 to "
            f"{LARGEST_TIE_EXPONENT + 1} the times that 2 divides m (by 32 only −2^31 is a tie)"
        )
    return exponent


def _tied_scale(draws: Draws, tie: Tie, multiplier: int | None, shift: int | None) -> tuple[int, int]:
    """Draw mantissa and shift so that there are ties; what is given stays."""
    largest = LARGEST_TIE_EXPONENT - (tie is Tie.POSITIVE)
    if multiplier is None and shift is None:
        twos, exponent = draws.below(MULTIPLIER_BITS), draws.between(0, largest)
        return _mantissa(draws, twos), twos + exponent + 1
    if shift is None:
        assert multiplier is not None
        return multiplier, _twos(multiplier) + 1 + draws.between(0, largest)
    if multiplier is None:
        fewest, most = max(0, shift - 1 - largest), min(MULTIPLIER_BITS - 1, shift - 1)
        if fewest > most:
            raise ConstraintError(f"RQ: no {tie.name.lower()} tie exists with s={shift}, whatever m is")
        return _mantissa(draws, draws.between(fewest, most)), shift
    return multiplier, shift


def _mantissa(draws: Draws, twos: int) -> int:
    """Return an odd number times 2^`twos` that fits."""
    odd = draws.element(ODD_FACTORS)
    return odd << twos if (odd << twos) >> MULTIPLIER_BITS == 0 else 1 << twos
