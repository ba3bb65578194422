"""Words that fault do so for the reason of their kind."""

import pytest

from refmodel.isa.encoding import decode, encode
from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Illegal, Opcode
from sequences.random_programs.draws import Draws, Purpose
from sequences.random_programs.faults import FAULT_KINDS, FaultKind, faulty_instruction


def test_there_are_as_many_kinds_as_the_instruction_set_has() -> None:
    operations, tile_limits = len(Opcode) - 2, 3  # all but HALT and MM have a len; M, K and N
    illegal = 16 - len(Opcode)
    assert len(set(FAULT_KINDS)) == illegal + 2 * operations + 2 * tile_limits


@pytest.mark.parametrize("kind", FAULT_KINDS, ids=str)
def test_every_kind_faults_for_its_reason(kind: FaultKind) -> None:
    draws = Draws(Purpose.PROGRAM, 7)
    symbols = {"length": "len is", "m": "M is", "n": "N is", "k": "K is", None: f"opcode {kind.opcode} is"}
    for _ in range(20):
        instruction = faulty_instruction(draws, kind)
        assert decode(encode(instruction)) == instruction
        reason = fault_reason(instruction)
        assert reason is not None
        assert reason.startswith(symbols[kind.operand])
        assert kind.operand is None or (getattr(instruction, kind.operand) == 0) == kind.zero
        assert isinstance(instruction, Illegal) or instruction.opcode is Opcode(kind.opcode)
