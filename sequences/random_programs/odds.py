"""Weighted choices as the weights file writes them: odds of named values, and bins of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, RootModel, model_validator

from sequences.random_programs.draws import Draws

Key = TypeVar("Key")

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

Weight = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
"""How often something is chosen, compared with the other weights beside it; 0 never."""


class Odds(RootModel[dict[Key, Weight]], Generic[Key]):
    """A weight for each of some names, such as `{ zero = 1, exact = 3 }`; a name left out has weight 0."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="after")
    def _something_to_choose(self) -> Odds[Key]:
        if not any(self.root.values()):
            raise ValueError("every weight is 0; give one of them a weight")
        return self

    @cached_property
    def choices(self) -> Sequence[Key]:
        """The values, in the order of the file."""
        return tuple(self.root)

    @cached_property
    def cumulative(self) -> Sequence[int]:
        """For each value the sum of its own weight and of those before it."""
        return tuple(accumulate(self.root.values()))

    def draw(self, draws: Draws) -> Key:
        """Return one of the values."""
        return draws.choose(self)


class Bin(BaseModel):
    """A range of numbers, all equally likely, and its weight among the bins beside it."""

    model_config = STRICT

    weight: Weight
    smallest: int = Field(alias="from")
    largest: int = Field(alias="to")

    @model_validator(mode="after")
    def _not_empty(self) -> Bin:
        if self.smallest > self.largest:
            raise ValueError(f"from {self.smallest} to {self.largest} is empty; exchange them")
        return self


class Bins(RootModel[Annotated[tuple[Bin, ...], FailFast()]]):
    """Bins such as `[{ weight = 3, from = 1, to = 8 }, { weight = 1, from = 9, to = 4095 }]`."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="after")
    def _something_to_choose(self) -> Bins:
        if not any(each.weight for each in self.root):
            raise ValueError("no bin has a weight; give one of them a weight")
        return self

    @property
    def choices(self) -> Sequence[Bin]:
        """The bins."""
        return self.root

    @cached_property
    def cumulative(self) -> Sequence[int]:
        """For each bin the sum of its own weight and of those before it."""
        return tuple(accumulate(each.weight for each in self.root))

    def draw(self, draws: Draws) -> int:
        """Return a number of one of the bins."""
        chosen = draws.choose(self)
        return draws.between(chosen.smallest, chosen.largest)


def within(smallest: int, largest: int) -> AfterValidator:
    """Return the validator of bins whose numbers must lie in a range."""

    def check(bins: Bins) -> Bins:
        for number, each in enumerate(bins.root):
            for key, value in (("from", each.smallest), ("to", each.largest)):
                if not smallest <= value <= largest:
                    raise ValueError(f"bin {number}: {key} is {value}, legal is {smallest}..{largest}")
        return bins

    checker: Callable[[Bins], Bins] = check
    return AfterValidator(checker)
