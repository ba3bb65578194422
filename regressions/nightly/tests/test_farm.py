"""The file that says what to ask of a farm."""

from __future__ import annotations

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from regressions.nightly.farm import Farm, FarmError, load_farm, require_walltime
from regressions.nightly.tests.fakes import job
from verif.simulation.plain_path import REPOSITORY

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
        ("workers = 2 4", r"is not TOML: .*column 13"),
        (LEAST + "qeue = 'sim'", r"qeue: unknown key; did you mean queue\?"),
        (LEAST + "partition = 'sim'", r"partition: unknown key; did you mean queue\?$"),
        (LEAST + "time = '1:00'", r"time: unknown key; did you mean walltime\?$"),
        (LEAST + "zzz = 1", r"zzz: unknown key$"),
        ("", r"workers: Field required"),
        (LEAST.replace("2", "0", 1), r"workers: Input should be greater than or equal to 1"),
        (LEAST.replace("2", '"2"', 1), r"workers: Input should be a valid integer"),
        (LEAST.replace("1GB", "1 gig"), r"memory: '1 gig' is no size; write 4GB or 500MB, say$"),
        (LEAST.replace("1GB", "0GB"), r"memory: '0GB' is no size"),
        (LEAST.replace("1-08:00:00", "8h"), r"walltime: '8h' is no time; write HH:MM:SS or D-HH:MM:SS, "),
        (LEAST.replace("1-08:00:00", "1:60:00"), r"walltime: '1:60:00' is no time"),
        (LEAST.replace("1-08:00:00", "0-00:00:00"), r"walltime: '0-00:00:00' is no time"),
        (LEAST + 'queue = "a b"', r"queue: String should match pattern"),
        (LEAST + "prologue = [3]", r"prologue\.0: Input should be a valid string"),
        (
            LEAST + 'interface = "l0"',
            r"interface: this machine has no network interface 'l0'; did you mean lo",
        ),
    ],
)
def test_what_is_wrong_is_one_message_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FarmError, match=rf"farm\.toml(:1)?: {message}"):
        load_farm(written(tmp_path, text))


def test_an_interface_of_this_machine_is_taken(tmp_path: Path) -> None:
    _, name = socket.if_nameindex()[0]
    assert load_farm(written(tmp_path, f'{LEAST}interface = "{name}"')).interface == name


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"none\.toml: cannot be read: No such file or directory"):
        load_farm(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("walltime", "seconds"),
    [("0:03:01", 181), ("12:34:56", 45_296), ("2-01:00:00", 176_400), ("0-00:00:01", 1)],
)
def test_a_walltime_is_so_many_seconds(walltime: str, seconds: int) -> None:
    assert Farm(workers=1, memory="1GB", walltime=walltime).seconds == seconds


def test_a_walltime_must_be_longer_than_what_the_longest_job_may_take() -> None:
    short, long = job("short-0"), replace(job("long-0"), timeout=75.0)
    skipped = replace(job("skipped-0"), timeout=9000.0, skip="not today")
    farm = Farm(workers=1, memory="1GB", walltime="0:05:00")
    require_walltime(farm, [])
    require_walltime(farm, [short, skipped, replace(long, timeout=74.0)])
    message = (
        r"^--farm: walltime 0:05:00 is too short: long-0 may take 0:05:00, 4 times its timeout of 75 s; "
        "ask for more$"
    )
    with pytest.raises(FarmError, match=message):
        require_walltime(farm, [short, long, skipped])
