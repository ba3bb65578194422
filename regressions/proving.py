"""Proofs and their mutants side by side, and what `prove` prints and writes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from regressions.side_by_side import run_side_by_side
from regressions.tables import number_table
from verif.proofs.catalogue import proof_named
from verif.proofs.mutants import ProofMutant
from verif.proofs.proof import Proof, ProofResult, Verdict
from verif.proofs.prover import prove

SHOWN_CYCLES = 12
"""The last ones of a counterexample, which its table shows."""


@dataclass(frozen=True)
class MutantResult:
    """What a proof says of RTL, or of a property, that is wrong on purpose."""

    mutant: ProofMutant
    result: ProofResult

    @property
    def as_expected(self) -> bool:
        """Is the property broken that must be?"""
        example = self.result.counterexample
        return (
            self.result.verdict is not Verdict.PROVED
            and example is not None
            and self.mutant.fails in example.broken
        )


def prove_all(
    proofs: Sequence[Proof], jobs: int, directory: Path, on_result: Callable[[ProofResult], None]
) -> list[ProofResult]:
    """Try proofs, `jobs` at a time; waves of counterexamples go to `directory`."""

    def run(proof: Proof) -> ProofResult:
        waves = directory / f"{proof.name}.vcd"
        waves.unlink(missing_ok=True)
        result = prove(proof, waves=waves)
        on_result(result)
        return result

    return run_side_by_side(run, proofs, jobs)


def try_mutants(
    mutants: Sequence[ProofMutant], jobs: int, on_result: Callable[[MutantResult], None]
) -> list[MutantResult]:
    """Try mutants, `jobs` at a time. Raises MutationError for one that does not fit its file."""

    def run(mutant: ProofMutant) -> MutantResult:
        result = MutantResult(mutant, prove(proof_named(mutant.proof), mutant.sources()))
        on_result(result)
        return result

    return run_side_by_side(run, mutants, jobs)


def proof_line(result: ProofResult) -> str:
    """Return the outcome of a proof as a line with markup."""
    colour = {Verdict.PROVED: "green", Verdict.FAILED: "bold red"}.get(result.verdict, "bold yellow")
    counts = f"{result.properties} properties, {result.covers} covers reached"
    detail = f": {escape(result.detail)}" if result.detail else ""
    proof = result.proof
    return (
        f"{proof.name:<14} [{colour}]{result.verdict.value}[/]  {proof.title}; {counts}, "
        f"{result.cpu:.1f} s{detail}"
    )


def mutant_line(each: MutantResult) -> str:
    """Return the outcome of a mutant as a line with markup."""
    verdict = "[green]found[/]" if each.as_expected else "[bold red]NOT as expected[/]"
    result = each.result
    said = escape(result.detail or result.verdict.value)
    return f"{each.mutant.proof:<14} {verdict}  {each.mutant.name}: {said} ({result.cpu:.1f} s)"


def counterexample_table(result: ProofResult) -> Table:
    """Return the signals of a counterexample, cycle by cycle, in hexadecimal; a dot repeats the value."""
    example = result.counterexample
    assert example is not None
    first = max(0, example.cycles - SHOWN_CYCLES)
    table = number_table("cycle", *(str(cycle + 1) for cycle in range(first, example.cycles)))
    for name, values in example.signals.items():
        if _is_shown(name, example.signals):
            numbers = [_number(value) for value in values[first:]]
            repeated = [
                "." if at and number == numbers[at - 1] else number for at, number in enumerate(numbers)
            ]
            table.add_row(name.removeprefix("u_properties."), *repeated)
    return table


def proofs_json(results: Sequence[ProofResult], tried: Sequence[MutantResult]) -> dict[str, Any]:
    """Return all outcomes as JSON values."""
    return {
        "proofs": [{"name": result.proof.name, **_json(result)} for result in results],
        "mutants": [
            {
                "name": each.mutant.name,
                "proof": each.mutant.proof,
                "must_break": each.mutant.fails,
                "as_expected": each.as_expected,
                **_json(each.result),
            }
            for each in tried
        ],
    }


def _json(result: ProofResult) -> dict[str, Any]:
    return {
        "verdict": result.verdict.name.lower(),
        "properties": result.properties,
        "covers": result.covers,
        "cpu_seconds": round(result.cpu, 1),
        "detail": result.detail,
        "broken": list(result.counterexample.broken) if result.counterexample else [],
    }


def _is_shown(name: str, signals: dict[str, tuple[str, ...]]) -> bool:
    """Is it a signal of the chip or of a property, shown once, and neither a clock nor made by Yosys?"""
    inner = name.rpartition(".")[2]
    is_copy = name.startswith("u_properties.") and inner in signals
    return not (is_copy or "$" in name or inner.endswith("_EN") or inner == "clk_i")


def _number(bits: str) -> str:
    return f"{int(bits, 2):x}" if bits and set(bits) <= {"0", "1"} else bits
