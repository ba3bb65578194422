"""Which mutants are tried, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.qualification.mutation_run import simulator_of
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.selection import all_mutants, sampled
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS


@dataclass(frozen=True)
class Chosen:
    """What the user asked for."""

    simulators: Sequence[str]
    by_hand: Sequence[Mutant]
    """Each with programs of its own, on every one of the simulators."""
    generated: Sequence[GeneratedMutant]
    """Each with the short programs and the closing set, on the simulator that it belongs to."""
    all_generated: Sequence[GeneratedMutant]
    is_one: bool
    """Is it one mutant alone?"""

    @property
    def for_the_set(self) -> Sequence[Mutant]:
        """Those written by hand that the closing set is tried on too."""
        return self.by_hand if "verilator" in self.simulators else ()

    @property
    def runs(self) -> int:
        """How many steps all of it takes, the simulators' programs with no mutant selected among them."""
        return (len(self.by_hand) + 1) * len(self.simulators) + len(self.for_the_set) + len(self.generated)


def choose(sim: str | None, only: str | None, sample: int | None = None, seed: int = 1) -> Chosen:
    """Return all mutants, or that of one name, on all simulators or on one.

    With a `sample` only so many generated ones, which `seed` draws. Raises Ga2Error.
    """
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
    candidates = all_mutants()
    if only is not None:
        if sample is not None:
            raise Ga2Error("--only names one mutant and --sample draws many; leave one of them out")
        one_of("--only", only, [*(each.name for each in MUTANTS), *(each.name for each in candidates)])
    by_hand = [mutant for mutant in MUTANTS if only in (None, mutant.name)]
    generated = [
        mutant
        for mutant in (candidates if sample is None else sampled(candidates, sample, seed))
        if only in (None, mutant.name) and simulator_of(mutant) in simulators
    ]
    if not by_hand and not generated:
        raise Ga2Error(
            f"--only {only} --sim {sim}: it is tried in the other simulator alone; leave --sim out"
        )
    return Chosen(simulators, by_hand, generated, candidates, only is not None)
