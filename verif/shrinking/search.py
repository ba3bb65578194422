"""The search for smaller series, as a dialogue: it hands out candidates and is told what each shows.

Whoever drives the search runs each candidate that it yields and sends back the symptom, or None if the
candidate passes or cannot be run. So the search itself knows no simulator, and waits for none.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from sequences.directed.directed_program import DirectedProgram
from verif.series.program_identity import series_digest
from verif.shrinking.budget import Budget
from verif.shrinking.draft import Draft
from verif.shrinking.legality import is_legal
from verif.shrinking.size import Series, cycles_of, size_of
from verif.shrinking.symptom import Symptom

_T = TypeVar("_T")

Trials: TypeAlias = Generator[Series, Symptom | None, _T]
"""Yields candidates, is sent what they show, and returns its result."""


class BudgetSpent(Exception):  # noqa: N818 -- no error: the search ends with what it has
    """There is nothing left to spend on trials."""


@dataclass
class Search:
    """The smallest series so far, and what the search for a smaller one has spent."""

    current: Series
    symptom: Symptom
    """What `current` shows."""
    budget: Budget
    trials: int = 0
    cycles: int = 0

    def __post_init__(self) -> None:
        """Begin with a series that fails."""
        self.steps: list[Series] = [self.current]
        """Every series that was `current`, in turn."""
        self._size = size_of(self.current)
        self._tried = {series_digest(self.current)}
        self._draft: tuple[tuple[int, int], Draft] | None = None

    def attempt(self, candidate: Series) -> Trials[bool]:
        """Try a series in the place of the current one; return whether it has taken it.

        Nothing that is not smaller, has been tried before or is not legal is ever run. Raises BudgetSpent.
        """
        size = size_of(candidate)
        if size >= self._size:
            return False
        digest = series_digest(candidate)
        if digest in self._tried:
            return False
        self._tried.add(digest)
        if not is_legal(candidate):
            return False
        cycles = sum(map(cycles_of, candidate))
        if self.trials >= self.budget.trials or self.cycles + cycles > self.budget.cycles:
            raise BudgetSpent
        self.trials += 1
        self.cycles += cycles
        found = yield candidate
        if found is None or not self.symptom.is_like(found):
            return False
        self.current, self.symptom, self._size = candidate, found, size
        self.steps.append(candidate)
        return True

    def attempt_program(self, position: int, program: DirectedProgram) -> Trials[bool]:
        """Try a program in the place of the one at `position`."""
        return self.attempt((*self.current[:position], program, *self.current[position + 1 :]))

    def draft(self, position: int) -> Draft:
        """Return the program at `position` of the current series as a draft."""
        key = (id(self.current), position)
        if self._draft is None or self._draft[0] != key:
            self._draft = (key, Draft.of(self.current, position))
        return self._draft[1]


def answered(trials: Trials[_T], oracle: Callable[[Series], Symptom | None]) -> _T:
    """Run a search to its end with a function that says what a candidate shows."""
    answer: Symptom | None = None
    try:
        candidate = next(trials)
        while True:
            answer = oracle(candidate)
            candidate = trials.send(answer)
    except StopIteration as end:
        result: _T = end.value
        return result
