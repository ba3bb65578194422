from __future__ import annotations

import json
from pathlib import Path

import pytest

from regressions.tests.conftest import CommandLine
from sequences.golden import GOLDEN_DIRECTORY, golden_names, load_golden

TEXT = """
    LD 0 0 10
    MM 20 0 4 2 2 2 0 2 2 2
    ST 20 50 4
    HALT
    .ext 0: -1 2 3 4 5 6 7 8 9 10
"""

EXPLANATION = """\
pc 0: LD 0 0 10
  cycles       FETCH 1, ISSUE 2, busy 3..21 (cyc_dma)
  busy         19 = 10 + 8 + 1
                   10  one request a cycle
                    8  latency of the last response
                    1  control
  reads src    external 0..9: -1 2 3 4 5 6 7 8 … (10 words)
  dst before   scratchpad 0..9: 0 0 0 0 0 0 0 0 … (10 words)
  dst after    scratchpad 0..9: -1 2 3 4 5 6 7 8 … (10 words)

pc 1: MM 20 0 4 2 2 2 0 2 2 2
  cycles       FETCH 22, ISSUE 23, busy 24..46 (cyc_mm)
  busy         23 = 4 + 4 + 4 + 4 + 7
                    4  stage A, one word a cycle
                    4  stage B, one word a cycle
                    4  skewed stream through the array
                    4  write C, one word a cycle
                    7  control
  reads A      scratchpad 0: 2×2, strides 2, 1: -1 2 3 4
  reads B      scratchpad 4: 2×2, strides 2, 1: 5 6 7 8
  dst before   scratchpad 20: 2×2, strides 2, 1: 0 0 0 0
  dst after    scratchpad 20: 2×2, strides 2, 1: 9 10 43 50

pc 2: ST 20 50 4
  cycles       FETCH 47, ISSUE 48, busy 49..54 (cyc_dma)
  busy         6 = 2 + 4
                    2  control before the first write
                    4  one write a cycle
  reads src    scratchpad 20..23: 9 10 43 50
  dst before   external 50..53: 0 0 0 0
  dst after    external 50..53: 9 10 43 50

pc 3: HALT
  cycles       FETCH 55, ISSUE 56
  counters     cyc_total 56  cyc_mm 23  cyc_dma 25  cyc_vec 0  n_inst 3
"""


@pytest.fixture
def bundle(command_line: CommandLine, tmp_path: Path) -> Path:
    (tmp_path / "program.asm").write_text(TEXT)
    assert command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json").status == 0
    return tmp_path / "bundle.json"


def test_every_instruction_is_explained(bundle: Path, command_line: CommandLine) -> None:
    outcome = command_line("explain", bundle)
    assert (outcome.status, outcome.output) == (0, EXPLANATION)


@pytest.mark.parametrize("pc", [0, 1, 2, 3])
def test_one_instruction_alone(pc: int, bundle: Path, command_line: CommandLine) -> None:
    part = EXPLANATION.split("\n\n")[pc]
    assert command_line("explain", bundle, "--pc", pc).output.strip() == part.strip()


def test_json_has_every_word(bundle: Path, command_line: CommandLine, tmp_path: Path) -> None:
    command_line("explain", bundle, "--json", tmp_path / "out.json")
    document = json.loads((tmp_path / "out.json").read_text())
    load, matmul, store = document["instructions"]
    assert load["reads"][0]["words"] == [2**32 - 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert (matmul["unit"], matmul["fetch_cycle"], matmul["last_busy_cycle"]) == ("matrix", 22, 46)
    assert [write["data"] for write in matmul["writes"]] == matmul["dst_after"]["words"] == [9, 10, 43, 50]
    assert [write["first_cycle"] for write in store["writes"]] == [51, 52, 53, 54]
    assert document["end"]["counters"]["cyc_total"] == 56
    command_line("explain", bundle, "--pc", 1, "--json", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == {"instructions": [matmul], "end": None}


def test_a_fault_is_explained(command_line: CommandLine) -> None:
    output = command_line("explain", GOLDEN_DIRECTORY / "fault-first.json").output
    assert output.startswith("pc 0: ")
    assert "  faults       " in output


@pytest.mark.parametrize("pc", [-1, 4])
def test_a_pc_that_is_never_reached_is_refused(pc: int, bundle: Path, command_line: CommandLine) -> None:
    outcome = command_line("explain", bundle, "--pc", pc)
    assert outcome.status == 2
    assert outcome.error.startswith(f"error: --pc {pc}: ")
    assert "ends with a halt at pc 3; choose 0..3" in outcome.error


@pytest.mark.parametrize("name", golden_names())
def test_golden_bundles_are_explained_within_100_columns(name: str, command_line: CommandLine) -> None:
    outcome = command_line("explain", GOLDEN_DIRECTORY / f"{name}.json")
    assert outcome.status == 0
    assert max(map(len, outcome.output.splitlines())) <= 100
    expect = load_golden(name).expect
    assert expect is not None
    assert f"cyc_total {expect.counters.cyc_total}  " in outcome.output


def test_a_program_that_the_checker_refuses_is_not_explained(bundle: Path, command_line: CommandLine) -> None:
    document = json.loads(bundle.read_text())
    document["code"][0] = "50002000000040000000000000000000"  # SM of 4 words, dst 2, src 0
    bundle.write_text(json.dumps(document))
    outcome = command_line("explain", bundle)
    assert outcome.status == 2
    assert "dst overlaps src partially" in outcome.error
