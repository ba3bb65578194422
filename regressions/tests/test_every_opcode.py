"""Every instruction is known wherever the project lists instructions: a new one fails here, by place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from refmodel.isa.encoding import LAYOUT, OPERATIONS
from refmodel.isa.instructions import Instruction, Opcode
from refmodel.isa.regions import footprint, partial_overlap
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.machine import Machine
from regressions.tests.conftest import CommandLine
from regressions.timeline.lane import LANE_OF
from regressions.timeline.picture import COLOURS
from regressions.timeline.text import STYLES
from sequences.bundle_file import save_bundle
from sequences.directed import all_directed
from sequences.directed.directed_program import bundle_of, full_scratchpad
from sequences.directed.resets import UNDER_RESET
from sequences.random_programs import default_weights, random_programs
from sequences.random_programs.generator import GENERATORS
from sequences.random_programs.weights import Mnemonic
from verif.coverage.model import load_model
from verif.coverage.prediction import predicted
from verif.coverage.tally import Tally
from verif.qualification.mutants import MUTANTS
from verif.simulation.plain_path import REPOSITORY
from verif.waves.save_file import INSTANCES

RTL = REPOSITORY / "hdl" / "rtl"
OPCODES = [opcode for opcode in Opcode if opcode is not Opcode.HALT]
MODEL = load_model()
COVERED = ("opcode_pair", "address_wrap", "reserved_bits", "fault_position", "start_lost", "reset_state")
"""Coverage items with bins for every instruction."""


def places() -> dict[str, set[str]]:
    """Return the mnemonics that each list of instructions holds."""
    package = (RTL / "ga2_pkg.sv").read_text(encoding="utf-8")
    chip = (RTL / "ga2.sv").read_text(encoding="utf-8")
    numbers = {int(number) for number in re.findall(r"Op\w+ += 4'd(\d+)", package)}
    weighted = default_weights().program.opcodes.root
    return {
        "LAYOUT in refmodel/isa/encoding.py": {kind.opcode.name for kind in LAYOUT},
        "opcode_e in hdl/rtl/ga2_pkg.sv": {opcode.name for opcode in Opcode if opcode in numbers},
        "INSTANCES in verif/waves/save_file.py": set(INSTANCES),
        "units in hdl/rtl/ga2.sv": {name for name, unit in INSTANCES.items() if f" {unit} (" in chip},
        "Lane in regressions/timeline/lane.py": {Opcode(number).name for number in LANE_OF},
        "STYLES in regressions/timeline/text.py": {lane.opcode.name for lane in STYLES if lane.opcode},
        "COLOURS in regressions/timeline/picture.py": {lane.opcode.name for lane in COLOURS if lane.opcode},
        "Mnemonic in sequences/random_programs/weights.py": set(get_args(Mnemonic)),
        "GENERATORS in sequences/random_programs/generator.py": set(GENERATORS),
        "[program] opcodes in default_weights.toml": {name for name, odds in weighted.items() if odds},
        "sequences/directed": {
            Opcode(instruction.opcode).name
            for program in all_directed(1)
            for instruction in decode_program(program.bundle.code, 1).instructions
        },
        "UNDER_RESET in sequences/directed/resets.py": {name.upper() for name in UNDER_RESET},
        "mutants in verif/qualification/mutants": {str(mutant.expected.opcode) for mutant in MUTANTS},
        **{
            f"dimension {dimension.name} of coverage item {item}": names
            for item in COVERED
            for dimension in MODEL[item].dimensions
            if "LD" in (names := {each.split()[0] for each in dimension.bins})
        },
    }


def test_every_list_of_instructions_holds_every_one() -> None:
    gaps = [
        f"{opcode.name} is missing in {place}"
        for place, known in places().items()
        for opcode in OPCODES
        if opcode.name not in known
    ]
    assert not gaps, "\n".join(gaps)


def test_random_programs_draw_every_instruction() -> None:
    drawn = {
        Opcode(instruction.opcode).name
        for program in random_programs(1, range(40))
        for instruction in program.decoded.instructions
    }
    assert drawn == {opcode.name for opcode in OPCODES}


def with_operands(opcode: Opcode, value: int, **others: int) -> Instruction:
    """Return an instruction all of whose operands are the same number, but for the others."""
    kind = OPERATIONS[opcode]
    operands: dict[str, Any] = {field.operand: value for field in LAYOUT[kind]}
    return kind(**(operands | others))


@pytest.mark.parametrize("opcode", OPCODES, ids=lambda opcode: opcode.name)
def test_instruction_passes_through_every_tool(
    opcode: Opcode, command_line: CommandLine, tmp_path: Path
) -> None:
    instruction = with_operands(opcode, 1)
    bundle = bundle_of([instruction], scratchpad=full_scratchpad(np.random.default_rng(1)))
    assert not Machine(strict=True).run(bundle).fault
    tally = Tally(MODEL)
    tally.program(opcode.name, predicted(bundle, Machine()))
    assert tally.result().bins
    path = tmp_path / "bundle.json"
    save_bundle(path, bundle)
    for command in ("disasm", "explain", "timeline"):
        outcome = command_line(command, path)
        assert outcome.status == 0, outcome.error
        assert opcode.name in outcome.output


def test_rule_of_partial_overlap_holds_for_the_instructions_that_the_document_names() -> None:
    """Not by a list: it follows from what an instruction reads and writes, so a new one has it too."""
    bound = set()
    for opcode in OPCODES:
        if partial_overlap(footprint(with_operands(opcode, 4, dst=5))):
            bound.add(opcode.name)
    page = (REPOSITORY / "docs" / "isa.md").read_text(encoding="utf-8")
    (named,) = re.findall(r"^The dst of (.*) must be identical to each source", page, re.MULTILINE)
    assert bound == set(re.findall(r"[A-Z]+", named))
