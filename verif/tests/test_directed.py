"""The directed programs on both simulators."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from refmodel.isa.instructions import Opcode
from refmodel.machine.decoded_program import decode_program
from sequences.directed import GROUPS, LONG_GROUPS, all_directed
from sequences.timed_program import timed_program
from verif.tests.conftest import Simulate

CORNERS = ("single-bits", "argmax", "rounding", "long-rows", "operands", "pc", "hazards", "cuts")
"""Groups that share one simulation, whose start would take longer than they do."""


@pytest.mark.parametrize(
    "groups", [*([group] for group in GROUPS if group not in CORNERS), CORNERS], ids=lambda groups: groups[0]
)
def test_directed_programs(simulate: Simulate, seed: int, groups: Sequence[str]) -> None:
    programs = sum(1 for group in groups for _ in GROUPS[group](seed))
    report = simulate("directed.DirectedTest", groups=groups, seed=seed)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == programs > 0


@pytest.mark.slow
def test_counters_run_past_a_million(simulate: Simulate, seed: int) -> None:
    program, _ = LONG_GROUPS["counters"](seed)
    counters = decode_program(program.bundle.code, program.bundle.read_latency).counters
    assert min(counters.cyc_mm, counters.cyc_dma, counters.cyc_vec) > 1 << 20
    report = simulate("directed.DirectedTest", groups=["counters"], seed=seed, timeout=600.0)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == 2


@pytest.mark.slow
def test_pc_wraps(simulate: Simulate, seed: int) -> None:
    _, program, _ = LONG_GROUPS["pc-wrap"](seed)
    timed = timed_program(program.bundle.code, program.bundle.read_latency, program.stimulus)
    cut = program.stimulus.reset_cycle
    assert cut is not None
    assert np.searchsorted(timed.last_cycles, cut) > (1 << 16) + 16
    report = simulate("directed.DirectedTest", groups=["pc-wrap"], seed=seed, timeout=600.0)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == 3


@pytest.mark.slow
def test_instructions_are_counted_past_a_million(simulate: Simulate, simulator: str, seed: int) -> None:
    if simulator == "icarus":
        pytest.skip("five million cycles; pc-wrap takes the counter past 65,535 there")
    report = simulate("directed.DirectedTest", groups=["instruction-counter"], seed=seed, timeout=600.0)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == 2


@pytest.mark.slow
def test_every_pair_meets_every_carry_of_the_pc(simulate: Simulate, seed: int) -> None:
    report = simulate("directed.DirectedTest", groups=["pc-carries"], seed=seed)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == 4


@pytest.mark.slow
def test_the_pc_wraps_to_word_0(simulate: Simulate, seed: int) -> None:
    report = simulate("directed.DirectedTest", groups=["first-wrap"], seed=seed, timeout=600.0)
    assert report.passed, "\n".join(map(str, report.mismatches))
    assert report.programs == 1


@pytest.mark.parametrize(("group", "classes"), [("pc", 5), ("pc-carries", 9)])
def test_pc_programs_hold_every_pair_at_every_carry(seed: int, group: str, classes: int) -> None:
    met = set()
    for program in {**GROUPS, **LONG_GROUPS}[group](seed):
        decoded = decode_program(program.bundle.code, program.bundle.read_latency)
        for pc, pair in enumerate(pairwise(each.opcode for each in decoded.instructions)):
            met.add((min((pc ^ (pc + 1)).bit_length() - 1, 8), pair))
    pairs = {(first, second) for first in Opcode for second in Opcode if first and second}
    assert {(ones, pair) for ones in range(classes) for pair in pairs} <= met


def test_every_latency_up_to_33_and_longer_ones_has_its_programs(seed: int) -> None:
    programs = list(GROUPS["latencies"](seed))
    assert {program.bundle.read_latency for program in programs} == {*range(1, 34), 255, 1000, 4095}
    assert len(programs) == 2 * 36 + 4


def test_directed_programs_have_names_of_their_own(seed: int) -> None:
    names = Counter(program.name for program in all_directed(seed))
    assert not [name for name, count in names.items() if count > 1]


def test_directed_programs_reach_every_operation_and_fault(seed: int) -> None:
    opcodes: set[int] = set()
    faults = 0
    for program in all_directed(seed):
        decoded = decode_program(program.bundle.code, program.bundle.read_latency)
        opcodes |= {instruction.opcode for instruction in decoded.instructions}
        faults += decoded.fault
    assert opcodes == set(Opcode) - {Opcode.HALT}
    assert faults >= 2 * (8 + 6 * 4 + 3 * 4)
