"""The source of a vector instruction: where it lies and what brings its data."""

from __future__ import annotations

from dataclasses import dataclass

from sequences.random_programs.addresses import scratchpad_start
from sequences.random_programs.builder import ProgramBuilder, Span
from sequences.random_programs.data_region import Profile
from sequences.random_programs.kinds import AddressKind, SourceKind


@dataclass(frozen=True)
class Source:
    """Neighbouring scratchpad words, and the data they are fed with, if any."""

    start: int
    length: int
    profile: Profile | None = None
    exponent: int = 0

    @property
    def span(self) -> Span:
        """Its words."""
        return self.start, self.length


def draw_source(
    builder: ProgramBuilder,
    *,
    length: int | None = None,
    address: AddressKind | None = None,
    data: Profile | None = None,
    exponent: int = 0,
) -> Source:
    """Draw a source; what is given stays as it is. `data` has it fed.

    A chained source is no longer than the result that it reads, unless its length is given.
    """
    draws, weights = builder.draws, builder.weights
    kind = weights.operands.sources.draw(draws) if data is None else SourceKind.FED
    words = builder.draw_length() if length is None else length
    result = builder.recent_result() if kind is SourceKind.CHAINED and address is None else None
    if result is not None:
        start, longest = result
        return Source(start, words if length is not None else min(words, longest))
    where = weights.operands.scratchpad.draw(draws) if address is None else address
    profile = data
    if profile is None and kind is SourceKind.FED:
        profile = Profile(weights.data.profiles.draw(draws))
    return Source(scratchpad_start(draws, where, words), words, profile, exponent)


def provide(builder: ProgramBuilder, source: Source) -> None:
    """Bring a source's data, or make sure that it is defined."""
    if source.profile is None:
        builder.require_span(source.span)
    else:
        builder.feed(source.span, source.profile, source.exponent)
