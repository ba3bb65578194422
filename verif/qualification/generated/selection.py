"""Which of all generated mutants are tried: all, a sample that a seed draws, or a few of each file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, zip_longest

from verif.qualification.generated.candidates import GeneratedMutant, candidates
from verif.qualification.generated.change import Operator
from verif.qualification.mutant import Edit
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import RTL, rtl_files

PER_FILE = 2
"""Mutants of each file in the small copy of the RTL; dropped resets come on top, every one of them."""

PACKAGES = ("ga2_pkg.sv",)
"""Constants alone: the operators replace them where they are used."""

WITHOUT_EFFECT = ("ga2_invariants.sv",)
"""The chip's own assertions, which are silent while a mutant runs."""


def all_candidates() -> dict[str, list[GeneratedMutant]]:
    """Return every mutant of every file with behaviour but those written by hand. Raises SyntaxTreeError."""
    packages = {name: (RTL / name).read_text(encoding="utf-8") for name in PACKAGES}
    by_hand = {_effect(mutant.file, mutant.edits) for mutant in MUTANTS}
    return {
        path.name: [
            candidate
            for candidate in candidates(path.name, path.read_text(encoding="utf-8"), packages)
            if _effect(path.name, [cut.edit for cut in candidate.cuts]) not in by_hand
        ]
        for path in rtl_files()
        if path.name not in (*PACKAGES, *WITHOUT_EFFECT)
    }


@cache
def all_mutants() -> tuple[GeneratedMutant, ...]:
    """Return all candidates, by file in compile order. Raises SyntaxTreeError."""
    return tuple(mutant for of_file in all_candidates().values() for mutant in of_file)


def few_mutants() -> list[GeneratedMutant]:
    """Return a few of each file and every dropped reset, by file in compile order."""
    return [mutant for of_file in all_candidates().values() for mutant in picked(of_file, PER_FILE)]


def sampled(mutants: Sequence[GeneratedMutant], number: int, seed: int) -> list[GeneratedMutant]:
    """Return so many of some mutants, in their order; a seed draws the same ones whatever else there is."""
    ranked = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed}/{mutant.name}".encode()).digest())
    chosen = {mutant.name for mutant in ranked[:number]}
    return [mutant for mutant in mutants if mutant.name in chosen]


def picked(of_file: Sequence[GeneratedMutant], number: int) -> list[GeneratedMutant]:
    """Return so many mutants of one file, and every dropped reset.

    Each operator gives one after the other until there are enough, that with the lowest hash first. So what a
    line gives away depends on that line; others change the choice only by having a lower hash themselves.
    """
    turns = list(_turns(of_file))
    chosen = {mutant.name for mutant in turns[:number]}
    return [mutant for mutant in of_file if mutant.operator is Operator.RESET or mutant.name in chosen]


def _effect(file: str, edits: Sequence[Edit]) -> tuple[str, ...]:
    """Return what is done to a file, whatever the layout and the parentheses."""
    texts = (text for edit in edits for text in (edit.before, edit.after))
    return (file, *(re.sub(r"[\s()]+", "", text) for text in texts))


def _turns(of_file: Sequence[GeneratedMutant]) -> Iterator[GeneratedMutant]:
    ranked = sorted(of_file, key=lambda mutant: mutant.name.rpartition("_")[2])
    operators = [operator for operator in Operator if operator is not Operator.RESET]
    columns = [[mutant for mutant in ranked if mutant.operator is operator] for operator in operators]
    return (mutant for mutant in chain.from_iterable(zip_longest(*columns)) if mutant is not None)
