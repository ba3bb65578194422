"""Generated mutants that nothing kills, each with the reason why no solver proves it: `unkilled.toml`.

The name of a mutant holds a hash of its line. So an entry dies when the line reads differently, and it is a
problem as well when the mutant is killed after all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from refmodel.errors import Ga2Error
from sequences.document import DocumentError, read_toml_model
from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.trial import Fate, Trial

UNKILLED = Path(__file__).with_name("unkilled.toml")


class UnkilledError(Ga2Error):
    """The file is not as it must be."""


class Why(StrEnum):
    """Why a mutant lives."""

    EQUIVALENT = "equivalent"
    """No program and no stimulus can tell it from the chip."""
    SURVIVOR = "survivor"
    """It could be told, and the closing set does not."""


class Unkilled(BaseModel):
    """One mutant that lives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mutant: str
    why: Why
    reason: str = Field(min_length=40)
    """The argument that nothing can show it, or what it would take."""


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    unkilled: list[Unkilled]


def load_unkilled(path: Path = UNKILLED) -> dict[str, Unkilled]:
    """Return the entries by mutant. Raises UnkilledError, naming the entry and the key."""
    try:
        entries = read_toml_model(path, _Document).unkilled
    except DocumentError as error:
        raise UnkilledError(str(error)) from error
    by_name = {entry.mutant: entry for entry in entries}
    if len(by_name) < len(entries):
        twice = next(entry.mutant for entry in entries if by_name[entry.mutant] is not entry)
        raise UnkilledError(f"{path}: {twice} stands there twice; keep one of them")
    return by_name


def problems(
    unkilled: dict[str, Unkilled],
    mutants: Sequence[GeneratedMutant],
    trials: Sequence[Trial[GeneratedMutant]],
) -> Iterator[str]:
    """Yield what is wrong: entries that name no mutant, and trials that the entries do not account for."""
    for name in sorted(unkilled.keys() - {mutant.name for mutant in mutants}):
        yield (
            f"{UNKILLED.name}: no mutant is named {name}: its line reads differently now; remove the entry"
        )
    yield from filter(None, (problem_of(trial, unkilled) for trial in trials))


def problem_of(trial: Trial[GeneratedMutant], unkilled: Mapping[str, Unkilled]) -> str:
    """Return why the entries do not account for a trial; empty if they do."""
    mutant, listed = trial.mutant, trial.mutant.name in unkilled
    if trial.fate is Fate.KILLED and listed:
        return f"{UNKILLED.name}: {mutant.name} is killed by {trial.by}: {trial.detail}; remove the entry"
    if trial.fate is Fate.PROVED and listed:
        return f"{UNKILLED.name}: {mutant.name} is proved to be equivalent; remove the entry"
    if trial.fate is Fate.SURVIVED and not listed:
        return (
            f"{mutant.name} survives ({mutant.file}:{mutant.line}, {mutant.what}): strengthen the "
            f"stimulus, or give it an entry with a reason in {UNKILLED.name}"
        )
    if trial.fate is Fate.ERROR:
        return f"{mutant.name} led to an error: {trial.by} on {trial.simulator}: {trial.detail}"
    return ""
