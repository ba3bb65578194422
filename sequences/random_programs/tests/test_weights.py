"""Weights files: what they may say, and how wrong ones are refused."""

from pathlib import Path

import pytest

from refmodel.isa.instructions import MatMul, Softmax
from sequences.random_programs import default_weights, load_weights, random_programs
from sequences.random_programs.weights import DEFAULT_WEIGHTS, SHORT_WEIGHTS, WeightsError


def _file(directory: Path, text: str) -> Path:
    path = directory / "weights.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[program]\nopcods = { LD = 1 }", "key program.opcods is unknown.*the nearest is opcodes"),
        ("[progam]\nseries = 1", "key progam is unknown.*the nearest is program"),
        ("[program.opcodes]\nLDX = 1", "key program.opcodes.LDX is unknown; legal are LD, ST, MM"),
        ("[program.opcodes]\nLD = 0", "program.opcodes: every weight is 0"),
        ("[program.opcodes]\nLD = -1", "program.opcodes.LD is -1"),
        ("[program.opcodes]\nLD = 1.5", "program.opcodes.LD is 1.5"),
        ("[program]\nseries = true", "program.series is True"),
        ("program = 3", "program is 3, expected a table"),
        ("[data]\nprofiles = { ties = 1 }", "key data.profiles.ties is unknown; legal are uniform"),
        ("[lengths]\nlong = 3", "lengths.long is 3, expected an array of bins"),
        ("[lengths]\nlong = []", "lengths.long: no bin has a weight"),
        ("[lengths]\nlong = [{ weight = 1, from = 1, to = 4096 }]", "lengths.long: bin 0: to is 4096"),
        ("[lengths]\nlong = [{ weight = 1, from = 9, to = 8 }]", r"lengths.long\[0\]: from 9 to 8 is empty"),
        ("[lengths]\nlong = [{ weight = 1, from = 9 }]", r"key lengths.long\[0\].to is missing"),
        ("[matrix]\nk = [{ weight = 1, from = 0, to = 8 }]", "matrix.k: bin 0: from is 0, legal is 1..64"),
        ("[program", "is not TOML"),
    ],
)
def test_wrong_weights_are_refused_by_key(tmp_path: Path, text: str, complaint: str) -> None:
    path = _file(tmp_path, text)
    with pytest.raises(WeightsError, match=complaint) as raised:
        load_weights(path)
    assert str(raised.value).startswith(f"weights {path}: ")
    assert "\n" not in str(raised.value)


def test_unreadable_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be read: No such file"):
        load_weights(tmp_path / "none.toml")
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff")
    with pytest.raises(WeightsError, match=r"is not UTF-8 \(byte 0"):
        load_weights(binary)


def test_a_file_replaces_the_keys_that_it_gives(tmp_path: Path, seed: int) -> None:
    path = _file(
        tmp_path, "[program]\nopcodes = { SM = 1 }\nfault = { none = 1 }\n[softmax]\npercent_ties = 0"
    )
    weights = load_weights(path)
    assert weights.softmax.percent_ties == 0
    assert weights.softmax.placement == default_weights().softmax.placement
    operations = [
        each for program in random_programs(seed, range(16), weights) for each in program.decoded.instructions
    ]
    assert any(isinstance(each, Softmax) for each in operations)
    assert not any(isinstance(each, MatMul) for each in operations)


def test_shipped_files_are_legal() -> None:
    assert load_weights(DEFAULT_WEIGHTS) == default_weights()
    assert load_weights(SHORT_WEIGHTS) != default_weights()
