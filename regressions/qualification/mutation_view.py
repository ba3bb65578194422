"""The mutation score for people (rich) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from verif.qualification.generated.candidates import GeneratedMutant
from verif.qualification.generated.trial import Fate, Trial
from verif.qualification.generated.unkilled import Unkilled
from verif.qualification.mutant import Mutant
from verif.qualification.score import LEAST, Judged, Score, grouped, score


def score_table(mutants: Sequence[Judged], title: str, column: str) -> Table:
    """Return a row for each value of an attribute of `Judged`, and one for all."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(column, no_wrap=True)
    for name in ("mutants", "killed", "equivalent", "survived", "score"):
        table.add_column(name, justify="right")
    for value, counts in grouped(mutants, attrgetter(column)).items():
        table.add_row(value, *_cells(counts))
    table.add_section()
    table.add_row("all", *_cells(score(mutants)))
    return table


def score_line(mutants: Sequence[Judged]) -> str:
    """Return the score in a sentence."""
    counts = score(mutants)
    if counts.percent is None:
        return f"no mutation score: of {counts.mutants} mutants, {counts.equivalent} are equivalent"
    colour, verdict = ("green", "reaches") if counts.good else ("bold red", "MISSES")
    return (
        f"mutation score {_percent(counts)}: {counts.killed} killed of {counts.mutants} mutants, "
        f"{counts.equivalent} of them equivalent; [{colour}]{verdict} {LEAST:.0f} %[/]"
    )


def trial_line(trial: Trial[GeneratedMutant]) -> str:
    """Return what became of one mutant."""
    mutant = trial.mutant
    place = f"{mutant.name} ({mutant.file}:{mutant.line}, {mutant.what})"
    by = f" by {trial.by} on {trial.simulator}: {trial.detail}" if trial.by else f" on {trial.simulator}"
    return f"{place}: {trial.fate.value}{by}"


def missed_line(trial: Trial[Mutant]) -> str:
    """Return what is wrong where the closing set does not find a mutant that was written by hand."""
    what = f"led to an error: {trial.by}: {trial.detail}" if trial.fate is Fate.ERROR else "is not found"
    return f"closing set, {trial.mutant.name}: {what}"


def mutation_summary(
    mutants: Sequence[Judged], trials: Sequence[Trial[GeneratedMutant]], unkilled: Mapping[str, Unkilled]
) -> dict[str, Any]:
    """Return the score and all trials as JSON values."""
    return {
        "score": _json(score(mutants)),
        "least": LEAST,
        "by_file": {name: _json(counts) for name, counts in grouped(mutants, attrgetter("file")).items()},
        "by_operator": {
            name: _json(counts) for name, counts in grouped(mutants, attrgetter("operator")).items()
        },
        "generated": [
            {
                "name": trial.mutant.name,
                "file": trial.mutant.file,
                "line": trial.mutant.line,
                "operator": trial.mutant.operator.value,
                "what": trial.mutant.what,
                "simulator": trial.simulator,
                "fate": trial.fate.name.lower(),
                "by": trial.by,
                "detail": trial.detail,
                **_listed(trial, unkilled),
            }
            for trial in trials
        ],
    }


def _listed(trial: Trial[GeneratedMutant], unkilled: Mapping[str, Unkilled]) -> dict[str, str]:
    entry = unkilled.get(trial.mutant.name)
    if entry is None or trial.fate is not Fate.SURVIVED:
        return {}
    return {"why": entry.why.value, "reason": entry.reason}


def _cells(counts: Score) -> list[str]:
    numbers = (counts.mutants, counts.killed, counts.equivalent, counts.survived)
    return [*map(str, numbers), _percent(counts)]


def _percent(counts: Score) -> str:
    return "—" if counts.percent is None else f"{counts.percent:.1f} %"


def _json(counts: Score) -> dict[str, Any]:
    return {
        "mutants": counts.mutants,
        "killed": counts.killed,
        "equivalent": counts.equivalent,
        "survived": counts.survived,
        "percent": None if counts.percent is None else round(counts.percent, 2),
    }
