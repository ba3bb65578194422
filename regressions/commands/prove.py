"""`prove`: proves properties of the RTL with a solver."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.options import JsonOption
from regressions.proving import (
    MutantResult,
    counterexample_table,
    mutant_line,
    proof_line,
    proofs_json,
    prove_all,
    try_mutants,
)
from regressions.terminal import Terminal
from sequences.whole_file import write_json
from verif.proofs.catalogue import PROOFS
from verif.proofs.mutants import MUTANTS
from verif.proofs.proof import ProofResult, Verdict
from verif.simulation.sim_make import OUT


def prove(
    names: Annotated[
        list[str] | None, typer.Argument(help="Proofs (default: all).", metavar="[NAME]...")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Only those that `make test` has too.")] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Break RTL and properties too: each must break its proof.")
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", help="Proofs at the same time.", min=1)] = 1,
    json: JsonOption = None,
) -> ExitStatus:
    """Prove properties of the RTL for every program, by induction; a time-out is never a proof.

    Waves of a counterexample go to out/prove/NAME.vcd.
    """
    if os.environ.get("RTL"):
        raise Ga2Error("RTL= names your own RTL, but these properties are about the inside of the project's")
    for name in names or []:
        one_of("NAME", name, [proof.name for proof in PROOFS])
    chosen = [proof for proof in PROOFS if (not names or proof.name in names) and (proof.quick or not quick)]
    if not chosen:
        raise Ga2Error("--quick: none of these proofs is a quick one; leave it out")
    directory = OUT / "prove"
    directory.mkdir(parents=True, exist_ok=True)
    console = Terminal()
    results = prove_all(chosen, jobs, directory, lambda result: _print(result, directory, console))
    tried: list[MutantResult] = []
    if mutants:
        meant = [mutant for mutant in MUTANTS if mutant.proof in {proof.name for proof in chosen}]
        tried = try_mutants(
            meant, jobs, lambda each: console.print(mutant_line(each), markup=True, soft_wrap=True)
        )
    if json is not None:
        write_json(json, proofs_json(results, tried))
    bad = sum(result.verdict is not Verdict.PROVED for result in results)
    bad += sum(not each.as_expected for each in tried)
    seconds = sum(result.cpu for result in results) + sum(each.result.cpu for each in tried)
    verdict = f"[bold red]{bad} NOT as expected[/]" if bad else "[green]all as expected[/]"
    what = f"{len(results)} proofs" + (f", {len(tried)} mutants" if tried else "")
    console.print(f"{what}: {verdict}; {seconds:.0f} s of CPU time", markup=True)
    return ExitStatus.MISMATCH if bad else ExitStatus.GOOD


def _print(result: ProofResult, directory: Path, console: Terminal) -> None:
    console.print(proof_line(result), markup=True, soft_wrap=True)
    if result.counterexample is not None:
        console.print(counterexample_table(result), crop=False)
        waves = directory / f"{result.proof.name}.vcd"
        if waves.exists():
            console.print(f"waves: {shown_path(waves)}", soft_wrap=True)
