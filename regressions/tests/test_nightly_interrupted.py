"""A night that was interrupted and resumed equals one that was not, on both simulators."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from signal import SIGINT, SIGKILL
from typing import Any

import pytest

from regressions.nightly.night import NIGHTS
from regressions.nightly.tests.processes import processes_of, wait_until
from verif.simulation.plain_path import REPOSITORY

LIST = """
description = "small enough to be run often, and not good"

[[test]]
name = "quick"
test = "named_programs.NamedProgramsTest"
timeout = 300
parameters = { programs = ["vectors/sm-one-apart", "golden/fault-first"], seed = "$seed" }

[[test]]
name = "lying"
test = "broken_bench.TamperedTest"
simulators = ["icarus"]
timeout = 300
parameters = { tamperings = ["wrong_word"] }

[[test]]
name = "sweep"
test = "random_programs.RandomProgramTest"
build = "x-random"
initial_states = 2
timeout = 300
parameters = { seed = "$seed", count = 8, weights = "sequences/random_programs/short_weights.toml" }
"""

OF_A_JOB = ("name", "seed", "fingerprint", "status", "reason", "programs", "comparisons", "cycles", "reruns")
OF_A_BUCKET = (
    "kind",
    "unit",
    "opcode",
    "role",
    "count",
    "simulators",
    "seed",
    "job",
    "jobs",
    "explanation",
    "shrunk",
)
OF_A_NIGHT = ("base_seed", "good", "problems", "statuses", "missing", "programs", "comparisons", "coverage")


@dataclass(frozen=True)
class Nights:
    """Nights of a list of this test alone."""

    path: Path

    def found(self) -> list[Path]:
        return sorted(NIGHTS.glob(f"{self.path.stem}-*"))

    def start(self, *options: str) -> subprocess.Popen[str]:
        beside = self.path.parent
        files = ["--failed-seeds", str(beside / "failed.json"), "--history", str(beside / "history.sqlite")]
        return subprocess.Popen(
            [sys.executable, "-m", "regressions", "nightly", str(self.path), "--jobs", "2", *options, *files],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def begin(self) -> tuple[subprocess.Popen[str], Path]:
        before = set(self.found())
        client = self.start("--seed", "11")
        wait_until(lambda: bool(set(self.found()) - before) or client.poll() is not None, "it begins", 600)
        (night,) = set(self.found()) - before
        return client, night

    def end(self, client: subprocess.Popen[str], status: int) -> None:
        output, _ = client.communicate(timeout=900)
        assert client.returncode == status, output


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    path = tmp_path_factory.mktemp("list") / f"interrupted{os.getpid()}.toml"
    path.write_text(LIST, encoding="utf-8")
    yield Nights(path)
    for directory in Nights(path).found():
        shutil.rmtree(directory)


@pytest.fixture(scope="module")
def uninterrupted(nights: Nights) -> Path:
    client, night = nights.begin()
    nights.end(client, 1)
    return night


def what_must_be_equal(night: Path) -> dict[str, Any]:
    text = (night / "summary.json").read_text(encoding="utf-8")
    document = json.loads(text.replace(str(night), "NIGHT").replace(night.name, "NIGHT"))

    def of(values: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
        return {name: values[name] for name in names}

    return {
        **of(document, OF_A_NIGHT),
        "jobs": [of(each, OF_A_JOB) for each in document["jobs"]],
        "buckets": [of(each, OF_A_BUCKET) for each in document["buckets"]],
        "states": of(document["initial_states"], ["compared", "dependent"]),
        "covered": {path.name: json.loads(path.read_bytes()) for path in (night / "coverage").iterdir()},
    }


def results(night: Path) -> int:
    return len(list((night / "results").glob("*.json")))


def simulates(night: Path) -> bool:
    """Does a simulation run whose job has no result yet?"""
    logs = night.glob("attempts/*/*/simulation/sim.log")
    return any(not (night / "results" / f"{log.parts[-4]}.json").exists() for log in logs)


def workers_of(client: subprocess.Popen[str]) -> list[int]:
    children = Path(f"/proc/{client.pid}/task").glob("*/children")
    pids = [int(pid) for path in children for pid in path.read_text().split()]
    return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def early(night: Path) -> bool:
    return simulates(night)


def late(night: Path) -> bool:
    return results(night) >= 3 and simulates(night)


def explaining(night: Path) -> bool:
    return any(night.glob("attempts/lying-000-icarus/1/lying-000-icarus.json"))


def wait_for(moment: Callable[[Path], bool], night: Path, client: subprocess.Popen[str]) -> None:
    wait_until(lambda: moment(night) or client.poll() is not None, "the moment is there", 300)


def require_equal(night: Path, uninterrupted: Path) -> None:
    expected = what_must_be_equal(uninterrupted)
    assert [each["status"] for each in expected["jobs"]].count("failed") == 1
    assert expected["coverage"]["hit"] > 100
    assert what_must_be_equal(night) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moments", "number"),
    [([early, late], SIGINT), ([explaining], SIGINT), ([late], SIGKILL)],
    ids=["ctrl-c", "ctrl-c-explaining", "client-killed"],
)
def test_a_night_that_was_interrupted_and_resumed_equals_one_that_was_not(
    moments: list[Callable[[Path], bool]], number: int, nights: Nights, uninterrupted: Path
) -> None:
    client, night = nights.begin()
    for moment in moments:
        wait_for(moment, night, client)
        client.send_signal(number)
        nights.end(client, 130 if number == SIGINT else -SIGKILL)
        wait_until(lambda: not processes_of(night), "nothing runs on")
        assert results(night) < 6
        client = nights.start("--resume", str(night))
    nights.end(client, 1)
    require_equal(night, uninterrupted)


@pytest.mark.slow
def test_a_night_whose_worker_was_killed_equals_one_of_which_none_was(
    nights: Nights, uninterrupted: Path
) -> None:
    client, night = nights.begin()
    wait_for(late, night, client)
    for pid in workers_of(client):
        os.kill(pid, SIGKILL)
    nights.end(client, 1)
    attempts = [each["attempt"] for each in json.loads((night / "summary.json").read_text())["jobs"]]
    assert max(attempts) == 2, "none was begun again"
    require_equal(night, uninterrupted)
