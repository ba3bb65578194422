"""Mutants and trials for tests."""

from __future__ import annotations

from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.change import Operator
from verif.qualification.generated.trial import Fate, Trial


def mutant(
    name: str, operator: Operator = Operator.ARITHMETIC, file: str = "ga2_argmax.sv"
) -> GeneratedMutant:
    return GeneratedMutant(name, file, 7, operator, "+ becomes -", ())


def trial(name: str, fate: Fate) -> Trial[GeneratedMutant]:
    by = "" if fate is Fate.SURVIVED else "random-0"
    return Trial(mutant(name), "verilator", fate, by, f"{by} says so" if by else "")
