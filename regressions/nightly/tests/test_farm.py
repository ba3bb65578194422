"""The file that says what to ask of a farm."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from regressions.nightly.farm import FarmError, load_farm
from verif.sim_make import REPOSITORY

LEAST = 'workers = 2\nmemory = "1GB"\nwalltime = "1-08:00:00"\n'


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "farm.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_example_has_every_key() -> None:
    path = REPOSITORY / "docs" / "farm.toml"
    farm = load_farm(path)
    assert (farm.workers, farm.queue, farm.prologue) == (64, "regression", ["module load iverilog"])
    assert farm.model_fields_set | {"interface"} == set(type(farm).model_fields)
    assert '# interface = "ib0"' in path.read_text(encoding="utf-8")


def test_what_may_be_left_out_is_left_to_the_farm(tmp_path: Path) -> None:
    farm = load_farm(written(tmp_path, LEAST))
    assert (farm.workers, farm.memory, farm.walltime) == (2, "1GB", "1-08:00:00")
    assert (farm.queue, farm.account, farm.interface, farm.prologue, farm.directives) == (
        None,
        None,
        None,
        [],
        [],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("workers = 2 4", r"is not TOML: .*line 1"),
        (LEAST + "qeue = 'sim'", r"qeue: unknown key; did you mean queue\?"),
        (LEAST + "zzz = 1", r"zzz: unknown key$"),
        ("", r"workers: Field required"),
        (LEAST.replace("2", "0", 1), r"workers: Input should be greater than or equal to 1"),
        (LEAST.replace("2", '"2"', 1), r"workers: Input should be a valid integer"),
        (LEAST.replace("1GB", "1 gig"), r"memory: String should match pattern"),
        (LEAST.replace("1-08:00:00", "8h"), r"walltime: String should match pattern"),
        (LEAST + 'queue = "a b"', r"queue: String should match pattern"),
        (LEAST + "prologue = [3]", r"prologue\.0: Input should be a valid string"),
        (
            LEAST + 'interface = "l0"',
            r"interface: this machine has no network interface 'l0'; did you mean lo",
        ),
    ],
)
def test_what_is_wrong_is_one_message_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FarmError, match=rf"farm\.toml: {message}"):
        load_farm(written(tmp_path, text))


def test_an_interface_of_this_machine_is_taken(tmp_path: Path) -> None:
    _, name = socket.if_nameindex()[0]
    assert load_farm(written(tmp_path, f'{LEAST}interface = "{name}"')).interface == name


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"none\.toml: No such file or directory"):
        load_farm(tmp_path / "none.toml")
