"""Which mutants are tried, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.qualification.mutation_run import simulator_of
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.selection import generated_mutants
from verif.qualification.mutant import Mutant
from verif.qualification.mutants import MUTANTS


@dataclass(frozen=True)
class Chosen:
    """What the user asked for."""

    simulators: Sequence[str]
    by_hand: Sequence[Mutant]
    """Each with programs of its own, on every one of the simulators."""
    generated: Sequence[GeneratedMutant]
    """Each with the closing set, on the simulator that it belongs to."""
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


def choose(sim: str | None, only: str | None) -> Chosen:
    """Return all mutants, or that of one name, on all simulators or on one. Raises Ga2Error."""
    simulators = RTL_SIMULATORS if sim is None else (one_of("--sim", sim, RTL_SIMULATORS),)
    all_generated = generated_mutants()
    if only is not None:
        one_of(
            "--only", only, [*(mutant.name for mutant in MUTANTS), *(mutant.name for mutant in all_generated)]
        )
    by_hand = [mutant for mutant in MUTANTS if only in (None, mutant.name)]
    generated = [
        mutant
        for mutant in all_generated
        if only in (None, mutant.name) and simulator_of(mutant) in simulators
    ]
    if not by_hand and not generated:
        raise Ga2Error(
            f"--only {only} --sim {sim}: it is tried in the other simulator alone; leave --sim out"
        )
    return Chosen(simulators, by_hand, generated, all_generated, only is not None)
