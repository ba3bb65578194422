"""The proofs hold, each breaks on what is wrong, and nothing but a proof counts as one."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from verif.proofs.catalogue import PROOFS, proof_named
from verif.proofs.design import FORMAL
from verif.proofs.mutants import MUTANTS, ProofMutant
from verif.proofs.proof import Proof, Verdict
from verif.proofs.prover import prove
from verif.proofs.yosys import run_yosys
from verif.simulation.plain_path import REPOSITORY

QUICK_MUTANTS = ("total_saturates", "reserved_bit_looked_at", "store_busy_for_len_plus_3")
"""Of the RTL and of a property; the others take longer."""

COUNTERS = proof_named("counters")


def marked(name: str, is_quick: bool) -> object:
    return pytest.param(name, marks=() if is_quick else pytest.mark.slow, id=name)


@pytest.mark.parametrize("name", [marked(proof.name, proof.quick) for proof in PROOFS])
def test_properties_are_proved(name: str) -> None:
    result = prove(proof_named(name))
    assert result.verdict is Verdict.PROVED, result.detail
    assert result.properties
    assert result.covers


@pytest.mark.parametrize("mutant", [marked(mutant.name, mutant.name in QUICK_MUTANTS) for mutant in MUTANTS])
def test_what_is_wrong_breaks_its_property(mutant: str) -> None:
    wrong = next(each for each in MUTANTS if each.name == mutant)
    result = prove(proof_named(wrong.proof), wrong.sources())
    assert result.verdict is not Verdict.PROVED
    assert result.counterexample is not None, result.detail
    assert wrong.fails in result.counterexample.broken


def test_each_proof_has_mutants_of_rtl_and_of_properties() -> None:
    def is_of_property(mutant: ProofMutant) -> bool:
        return (FORMAL / mutant.file).exists()

    for proof in PROOFS:
        kinds = {is_of_property(mutant) for mutant in MUTANTS if mutant.proof == proof.name}
        assert kinds == {True, False}, proof.name
    assert all(mutant.sources() for mutant in MUTANTS)


def changed(before: str, after: str, proof: Proof = COUNTERS) -> dict[str, str]:
    name = f"{proof.top}_properties.sv"
    text = (FORMAL / name).read_text(encoding="utf-8")
    assert before in text
    return {name: text.replace(before, after)}


@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        ("assume (!(clear_i && running_i));", "assume (!running_i);", "all_three_kinds"),
        ("assume (!(clear_i && running_i));", "assume (0);", "carry_into_the_top_bits"),
        ("assert (", "assume (", "no property"),
        ("cover (", "assume (", "no cover"),
        ("endmodule", "", "syntax error"),
    ],
)
def test_what_proves_nothing_is_not_proven(before: str, after: str, detail: str) -> None:
    result = prove(COUNTERS, changed(before, after))
    assert (result.verdict, detail in result.detail) == (Verdict.NOT_PROVEN, True), result.detail


def test_a_time_out_is_not_proven() -> None:
    result = prove(dataclasses.replace(COUNTERS, seconds=0.001))
    assert result.verdict is Verdict.NOT_PROVEN
    assert "out of time" in result.detail


def test_an_open_induction_is_not_proven_and_shows_its_step() -> None:
    text = changed("phases_are_known : assert (phase_q <= Halted);", "", proof_named("sequencer"))
    result = prove(proof_named("sequencer"), text)
    assert result.verdict is Verdict.NOT_PROVEN
    assert result.counterexample is not None
    assert "does not close" in result.detail


def test_a_counterexample_has_waves_and_values(tmp_path: Path) -> None:
    wrong = next(mutant for mutant in MUTANTS if mutant.name == "retired_instructions_not_cleared")
    waves = tmp_path / "waves.vcd"
    result = prove(COUNTERS, wrong.sources(), waves)
    assert result.verdict is Verdict.FAILED
    assert result.counterexample is not None
    assert result.counterexample.broken == (wrong.fails,)
    assert result.counterexample.signals["clear_i"][0] == "1"
    assert result.counterexample.signals["n_inst_o"][1] != f"{0:032b}"
    assert "$enddefinitions" in waves.read_text(encoding="utf-8")


def test_the_protocol_of_simulation_can_be_read_for_proofs(tmp_path: Path) -> None:
    sources = " ".join(
        str(REPOSITORY / "hdl" / "tb" / f"{name}.sv") for name in ("ga2_rules", "ga2_protocol")
    )
    script = f"read_verilog -sv -formal {sources}\nhierarchy -check -top ga2_protocol\nproc\ncheck\n"
    run = run_yosys(script, tmp_path, 60)
    assert run.status == 0, run.last_words
