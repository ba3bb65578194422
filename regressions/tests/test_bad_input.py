"""Whatever a user can get wrong is one clear message and status 2: no traceback, no silent pass."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regressions.command_line import main
from regressions.tests.conftest import CommandLine, Outcome
from sequences.golden import GOLDEN_DIRECTORY
from verif.simulation.plain_path import REPOSITORY


def assert_refused(outcome: Outcome, *fragments: str) -> None:
    assert outcome.status == 2
    assert "Traceback" not in outcome.error
    assert len(outcome.error.splitlines()) == 1
    assert outcome.error.startswith("error: ")
    for fragment in fragments:
        assert fragment in outcome.error


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["decode", "--sim", "icaros"], ["'icaros'", "did you mean icarus"]),
        (["decode", "--target", "strutured"], ["'strutured'", "did you mean structured"]),
        (["decode", "--scales", "rows"], ["'rows'", "shape, model"]),
        (["decode", "--draft", "good"], ["'good'", "bigram, contrary, constant"]),
        (["decode", "--tokens", "64"], ["prompt (1) + tokens (64)", "64"]),
        (["decode", "--tokens", "58", "--k", "6"], ["k (6)", "65 rows"]),
        (["decode", "--tokens", "0"], ["--tokens", "1"]),
        (["decode", "--k", "-1"], ["--k"]),
        (["decode", "--start", "16"], ["token 16", "0..15"]),
        (["decode", "--prompt", "1,x"], ["'1,x'"]),
        (["decode", "--prompt", ""], ["--prompt"]),
        (["decode", "--noise", "nan"], ["--noise"]),
        (["decode", "--noise", "-1"], ["--noise"]),
        (["decode", "--json", "/no/such/directory/file"], ["/no/such/directory"]),
        (["decode", "--tokens", "2", "--save-bundles", "/dev/null/here"], ["/dev/null"]),
        (["decode", "--noice", "3"], ["--noice", "--noise"]),
        (["replay", "/no/such/bundle.json"], ["/no/such/bundle.json"]),
        (["explain", "/no/such/bundle.json"], ["/no/such/bundle.json"]),
        (["timeline", "/no/such/bundle.json"], ["/no/such/bundle.json"]),
        (["timeline", "/no/such/bundle.json", "--json", "/no/such/directory/file"], ["/no/such/directory"]),
        (["asm", "/no/such/text", "-o", "/tmp/x"], ["/no/such/text"]),
        (["disasm", "/"], ["/"]),
        (["dekode"], ["dekode"]),
    ],
)
def test_a_wrong_argument_is_named(
    arguments: list[str], fragments: list[str], command_line: CommandLine
) -> None:
    assert_refused(command_line(*arguments), *fragments)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("HALT\nLOAD 0 0 4", ["line 2", "LOAD"]),
        ("MM 0 0 0 4 300 4 0 4 4 4", ["line 1", "K", "300"]),
        ("LD 4096 0 1", ["line 1", "4096", "4095"]),
        ("LD 0 0", ["line 1", "LD"]),
        ("LD 0 zero 1", ["line 1", "zero"]),
        (".bss 0: 1", ["line 1", ".bss"]),
        (".ext 9000: 1\nHALT", ["line 1", "9000", "8191"]),
        ("HALT\n" * 65537, ["line 65537", "65536"]),
        ("RQ 2 0 4 1 1 0\nHALT", ["pc 0", "overlaps src partially"]),
        ("LD 0 8190 4\nHALT", ["pc 0", "8192..8193", "ext_words"]),
    ],
)
def test_a_wrong_assembly_text_is_refused_with_its_place(
    text: str, fragments: list[str], command_line: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "program.asm").write_text(text)
    outcome = command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json")
    assert_refused(outcome, "program.asm", *fragments)
    assert not (tmp_path / "bundle.json").exists()


def test_a_binary_file_is_no_assembly_text(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "program.asm").write_bytes(b"HALT\xff")
    outcome = command_line("asm", tmp_path / "program.asm", "-o", tmp_path / "bundle.json")
    assert_refused(outcome, "program.asm", "UTF-8")


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        (lambda bundle: bundle.pop("code"), ["code", "missing"]),
        (lambda bundle: bundle.update(format="ga2-program/2"), ["format"]),
        (lambda bundle: bundle.update(code=["12"]), ["code[0]", "32 hexadecimal digits"]),
        (lambda bundle: bundle.update(ext=[-1]), ["ext[0]", "-1"]),
        (lambda bundle: bundle.update(ext_words=70_000), ["ext_words", "70000"]),
        (lambda bundle: bundle.update(read_latency=0), ["read_latency", "0"]),
        (lambda bundle: bundle.update(code=["0" * 32] * 65537), ["65537", "65536"]),
        (lambda bundle: bundle.update(cods=[]), ["cods"]),
        # LD of 4 words from external address 8190
        (lambda bundle: bundle.update(code=["100001ffe00040000000000000000000"]), ["pc 0", "8192..8193"]),
        # SM of 4 words, dst 2, src 0
        (lambda bundle: bundle.update(code=["50002000000040000000000000000000"]), ["pc 0", "partially"]),
    ],
)
@pytest.mark.parametrize("place", ["model", "icarus", "verilator"])
def test_a_wrong_bundle_is_refused_before_anything_runs(
    change: Change, fragments: list[str], place: str, command_line: CommandLine, tmp_path: Path
) -> None:
    bundle = json.loads((GOLDEN_DIRECTORY / "softmax.json").read_text())
    bundle["expect"] = None
    change(bundle)
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    outcome = command_line("replay", tmp_path / "bundle.json", "--sim", place)
    assert_refused(outcome, "bundle.json", *fragments)


@pytest.mark.parametrize("length", [0, 1, 100, 1000])
def test_a_truncated_bundle_is_refused(length: int, command_line: CommandLine, tmp_path: Path) -> None:
    whole = (GOLDEN_DIRECTORY / "softmax.json").read_text()
    (tmp_path / "bundle.json").write_text(whole[:length])
    for command in ("replay", "disasm", "explain", "timeline"):
        assert_refused(command_line(command, tmp_path / "bundle.json"), "bundle.json", "JSON")


def test_output_that_cannot_be_written_is_said() -> None:
    """/dev/full is a disk without space."""
    command = [sys.executable, "-m", "regressions", "disasm", str(GOLDEN_DIRECTORY / "softmax.json")]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=REPOSITORY, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "error: standard output: No space left on device\n"


def test_a_reader_that_has_had_enough_is_no_mismatch() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "regressions", "nightly", "smoke", "--list"]
    try:
        done = subprocess.run(
            command, cwd=REPOSITORY, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (2, "error: standard output: Broken pipe\n")


def test_without_arguments_the_help_is_all_there_is(command_line: CommandLine) -> None:
    outcome = command_line()
    assert (outcome.status, outcome.error) == (2, "")
    assert "decode" in outcome.output


def test_an_error_of_the_program_itself_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("regressions.commands.disasm.load_bundle", broken)
    with pytest.raises(RuntimeError, match="a defect"):
        main(["disasm", "bundle.json"])
