"""The golden bundles on the reference machine: the state that an independent implementation computed."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.isa.checker import Severity, check_program
from refmodel.machine.assembler import assemble
from refmodel.machine.disassembler import disassemble
from refmodel.machine.machine import Machine
from refmodel.machine.result import WordArray
from refmodel.machine.tests.bundles import assert_same_bundle
from sequences.golden import golden_names, load_golden


def padded(image: WordArray, size: int) -> list[int]:
    return [*image.tolist(), *[0] * (size - len(image))]


def test_the_first_thirteen_are_there() -> None:
    assert set(golden_names()) >= {
        "fault-after-work",
        "fault-first",
        "load-store",
        "matmul-colliding-rows",
        "matmul-into-its-operand",
        "matmul-plain",
        "matmul-transposed-k64",
        "requant-edges",
        "softmax",
        "vadd-argmax",
        "verifier-m4-c4-sharp",
        "wrap-external",
        "wrap-scratchpad",
    }


@pytest.mark.parametrize("name", golden_names())
def test_machine_ends_exactly_so(name: str) -> None:
    bundle = load_golden(name)
    expect = bundle.expect
    assert expect is not None
    result = Machine().run(bundle)
    assert (result.halted, result.fault) == (expect.halted, expect.fault)
    assert result.counters == expect.counters
    assert result.ext.tolist() == padded(expect.ext, bundle.ext_words)
    # The expectation starts from zeros, which is what an unwritten word of the machine holds.
    assert result.scratchpad.tolist() == padded(expect.scratchpad, 4096)
    assert result.stray_ext_accesses == 0
    assert len(result.retires) == expect.counters.n_inst


@pytest.mark.parametrize("name", golden_names())
def test_checker_finds_no_error(name: str) -> None:
    bundle = load_golden(name)
    findings = check_program(bundle.code, bundle.ext_words, np.ones(4096, dtype=np.bool_))
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []


@pytest.mark.parametrize("name", golden_names())
def test_text_round_trip(name: str) -> None:
    bundle = load_golden(name)
    assert_same_bundle(assemble(disassemble(bundle)), bundle)
