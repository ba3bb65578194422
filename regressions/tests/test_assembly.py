from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from regressions.tests.conftest import CommandLine
from sequences.bundle_file import save_bundle
from sequences.golden import GOLDEN_DIRECTORY, golden_names


@pytest.mark.parametrize("name", golden_names())
def test_disassembling_and_assembling_gives_the_same_bundle(
    name: str, command_line: CommandLine, tmp_path: Path
) -> None:
    source = GOLDEN_DIRECTORY / f"{name}.json"
    text = command_line("disasm", source).output
    (tmp_path / "program.asm").write_text(text)
    outcome = command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json")
    assert outcome.status == 0, outcome.error
    original, copy = (json.loads(path.read_text()) for path in (source, tmp_path / "bundle.json"))
    defaults = {"ext_words": 8192, "read_latency": 8}
    assert copy == defaults | original
    assert command_line("disasm", tmp_path / "bundle.json").output == text


def test_a_source_map_is_shown_and_not_assembled(command_line: CommandLine, tmp_path: Path) -> None:
    source, text, copy = (tmp_path / name for name in ("source.json", "program.asm", "copy.json"))
    graph = Graph()
    x = graph.input("x", (1, 3))
    graph.output(graph.matmul(x, graph.weight("w", np.ones((3, 6)))), "y")
    inputs = {"x": np.ones((1, 3))}
    save_bundle(source, compile_graph(graph, [inputs]).bundle(inputs))
    text.write_text(command_line("disasm", source).output)
    assert [line.partition("# ")[2] for line in text.read_text().splitlines() if "# " in line] == [
        "0: load of x",
        "1: load of w",
        "2: y, columns 0..3",
        "3: y, columns 4..5",
        "4: y",
        "5: store of y",
        "6",
    ]
    assert command_line("asm", text, "-o", copy).status == 0
    original = json.loads(source.read_text())
    assert original.pop("source_map")
    assert json.loads(copy.read_text()) == original


def test_every_statement_of_the_text_reaches_the_bundle(command_line: CommandLine, tmp_path: Path) -> None:
    text = """
        # comments and empty lines mean nothing

        LD 0x10 2 3        # three words
        .word f0000000000000000000000000000001
        HALT
        .ext 2: 7 -1 0xff
        .spad 4095: 9
    """
    (tmp_path / "program.asm").write_text(text)
    assert command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json").status == 0
    bundle = json.loads((tmp_path / "bundle.json").read_text())
    assert bundle["code"] == [
        "10010000200030000000000000000000",
        "f0000000000000000000000000000001",
        "00000000000000000000000000000000",
    ]
    assert bundle["ext"] == [0, 0, 7, 0xFFFFFFFF, 0xFF]
    assert bundle["scratchpad"][4095] == 9
