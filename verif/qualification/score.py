"""The mutation score: how many of the mutants that can be found are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.trial import Fate, Trial
from verif.qualification.generated.unkilled import Unkilled, Why
from verif.qualification.outcome import Outcome, Verdict

LEAST = 99.0
"""Percent that a qualified bench must reach."""

BY_HAND = "written by hand"


@dataclass(frozen=True)
class Judged:
    """One mutant, whoever made it."""

    name: str
    file: str
    operator: str
    """What was done to the text; `BY_HAND` for the ones that people wrote."""
    killed: bool
    equivalent: bool = False


@dataclass(frozen=True)
class Score:
    """Counts over some mutants."""

    mutants: int
    killed: int
    equivalent: int

    @property
    def survived(self) -> int:
        """Mutants that could be found and were not."""
        return self.mutants - self.equivalent - self.killed

    @property
    def percent(self) -> float | None:
        """Killed ones in percent of those that are not equivalent; None if all are."""
        wanted = self.mutants - self.equivalent
        return 100.0 * self.killed / wanted if wanted else None

    @property
    def good(self) -> bool:
        """Is it enough? Nothing at all is not."""
        return self.mutants > 0 and (self.percent is None or self.percent >= LEAST)


def judged(
    outcomes: Sequence[Outcome],
    trials: Sequence[Trial[GeneratedMutant]],
    unkilled: dict[str, Unkilled],
    missed: Collection[str],
) -> list[Judged]:
    """Return a value for each mutant.

    One that was written by hand must be found by its own programs on every simulator, and must not be among
    those that the closing set `missed`.
    """
    by_hand: dict[str, Judged] = {}
    for outcome in outcomes:
        mutant = outcome.mutant
        found = outcome.verdict in (Verdict.AS_EXPECTED, Verdict.ELSEWHERE)
        killed = found and mutant.name not in missed
        before = by_hand.get(mutant.name)
        killed_everywhere = killed and (before is None or before.killed)
        by_hand[mutant.name] = Judged(mutant.name, mutant.file, BY_HAND, killed_everywhere)
    return [*by_hand.values(), *(_of_trial(trial, unkilled) for trial in trials)]


def score(mutants: Iterable[Judged]) -> Score:
    """Return the counts."""
    all_of_them = list(mutants)
    return Score(
        len(all_of_them),
        sum(mutant.killed for mutant in all_of_them),
        sum(mutant.equivalent for mutant in all_of_them),
    )


def grouped(mutants: Sequence[Judged], key: Callable[[Judged], str]) -> dict[str, Score]:
    """Return a score for each value of `key`, in the order in which they come."""
    return {
        value: score(mutant for mutant in mutants if key(mutant) == value)
        for value in dict.fromkeys(map(key, mutants))
    }


def _of_trial(trial: Trial[GeneratedMutant], unkilled: dict[str, Unkilled]) -> Judged:
    mutant = trial.mutant
    killed = trial.fate is Fate.KILLED
    entry = unkilled.get(mutant.name)
    argued = trial.fate is Fate.SURVIVED and entry is not None and entry.why is Why.EQUIVALENT
    equivalent = argued or trial.fate is Fate.PROVED
    return Judged(mutant.name, mutant.file, mutant.operator.value, killed, equivalent)
