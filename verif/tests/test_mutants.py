"""The mutants as data: complete, and their expectations consistent with the programs that they speak of."""

import pytest

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Halt
from refmodel.isa.timing import unit_of
from refmodel.machine.event_text import mnemonic
from sequences.named_programs import UnknownProgramError, named_program
from verif.qualification.mutant import Category, Mutant
from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import RTL
from verif.qualification.qualify import DATA_SEED

WITHOUT_BEHAVIOUR = {"ga2_pkg.sv", "ga2_invariants.sv"}
"""Constants alone; and the chip's own assertions, which do nothing on RTL that is right."""


def test_every_category_has_a_mutant() -> None:
    assert {mutant.category for mutant in MUTANTS} == set(Category)
    assert len(MUTANTS) >= 30


def test_every_file_with_behaviour_has_a_mutant() -> None:
    files = {path.name for path in RTL.glob("*.sv")}
    assert {mutant.file for mutant in MUTANTS} == files - WITHOUT_BEHAVIOUR


def test_some_need_a_language_program_and_some_a_program_before() -> None:
    language = [
        mutant for mutant in MUTANTS if mutant.programs[-1].startswith(("plain-step/", "verifier-block/"))
    ]
    assert len(language) >= 6
    assert sum(len(mutant.programs) == 2 for mutant in MUTANTS) >= 2


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_expectation_names_an_instruction_of_its_program(mutant: Mutant) -> None:
    code = named_program(mutant.programs[-1], DATA_SEED).bundle.code
    expected = mutant.expected
    assert 0 <= expected.pc <= len(code)
    instruction = decode(code[expected.pc]) if expected.pc < len(code) else Halt()
    assert mnemonic(instruction.opcode) == expected.opcode
    assert (unit_of(instruction) if fault_reason(instruction) is None else None) is expected.unit


@pytest.mark.parametrize(
    "name",
    [
        "no-group",
        "matrix/no-such",
        "golden/no-such",
        "plain-step/sharp-c5-m2",
        "verifier-block/sharp-c3",
        "/",
    ],
)
def test_unknown_program_is_refused(name: str) -> None:
    with pytest.raises(UnknownProgramError, match=f"no program is named '{name}'"):
        named_program(name, DATA_SEED)
