"""The equality of tokens, for the terminal."""

from __future__ import annotations

from rich.console import Console

from regressions.study.equality import STARTS, EqualityRun, EqualityStudy
from regressions.study.wording import draft_name
from regressions.tables import number_table, uncut
from verif.shell_line import command_line

SHOWN_RUNS = 5
"""Differing runs of one mode that are named."""


def equality_title(study: EqualityStudy) -> str:
    """Return what was decoded."""
    request, seeds = study.request, study.modes[0].seeds
    return (
        f"{len(seeds)} {request.target} targets, seeds {seeds[0]} to {seeds[-1]}, {len(STARTS)} starts, "
        f"{request.tokens} tokens, k = {request.k}, {draft_name(request)}"
    )


def print_equality(study: EqualityStudy, console: Console) -> None:
    """Print the rate by mode, and how to see the first runs that differ."""
    console.print(equality_title(study), style="bold")
    table = number_table("scales", "   runs", "  equal", "    rate", "  targets equal from every start")
    for mode in study.modes:
        targets = f"{mode.equal_targets} of {len(mode.seeds)}"
        rate = f"{100 * mode.rate:.1f} %"
        table.add_row(mode.scales, f"{len(mode.runs)}", f"{mode.equal}", rate, targets)
    console.print(uncut(table), crop=False)
    for mode in study.modes:
        different = [run for run in mode.runs if not run.decoding.equal]
        for run in different[:SHOWN_RUNS]:
            console.print(f"{run.equal_tokens} tokens equal: {reproduction(run)}", soft_wrap=True)
        if len(different) > SHOWN_RUNS:
            console.print(f"{len(different) - SHOWN_RUNS} more under {mode.scales} scales: see --json")


def reproduction(run: EqualityRun) -> str:
    """Return the command with its options that decodes the same."""
    request = run.decoding.request
    options = (
        f"--target {request.target} --target-seed {request.target_seed} --start {run.start} "
        f"--tokens {request.tokens} --k {request.k} --draft {request.draft} --noise {request.noise:g} "
        f"--scales {request.scales}"
    )
    return command_line("decode", *options.split())
