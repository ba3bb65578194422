"""The command that a night prints for a failure runs the same again."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from regressions.command_line import main
from regressions.nightly.failed_seeds import failed_before, remember_failed
from regressions.nightly.list_file import load_list
from regressions.nightly.night import begin_night, plan_now
from regressions.nightly.selection import jobs_of
from regressions.nightly.tests.fakes import job
from regressions.nightly.tests.nights import shown, summary
from verif.shell_line import command_line

LIST = """
description = "d"
failed_seeds = true

[[test]]
name = "own"
test = "broken_bench.EmptyRunTest"
timeout = 10
reseed = 3
reason = "r"
parameters = { seed = "$seed", do = "timeout" }
"""


def test_it_finds_the_same_jobs_in_the_same_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = tmp_path / "a directory"
    directory.mkdir()
    own, failed_seeds = directory / "own.toml", directory / "failed seeds.json"
    own.write_text(LIST, encoding="utf-8")
    remember_failed(failed_seeds, [job("b-000-icarus", "crashed", seed=5)])
    jobs = (*jobs_of(load_list(own).test, 77), *failed_before(failed_seeds))
    night = begin_night(plan_now(str(own), 77, jobs, failed_seeds=str(failed_seeds)), tmp_path)
    lines = shown(night, tmp_path)
    buckets = summary(night)["buckets"]
    assert {each["kind"]: each["job"][:6] for each in buckets} == {"timeout": "own-00", "crashed": "again-"}
    for each in buckets:
        assert f"    see it again: {each['reproduce']}" in lines
        command = shlex.split(each["reproduce"].removesuffix(")").partition(" -m regressions ")[2])
        capsys.readouterr()
        assert main([*command, "--list"]) == 0
        found = capsys.readouterr().out.splitlines()
        assert found[-1] == "1 jobs, seed 77"
        name, _, _, seed, *_ = found[1].split()
        assert (name, seed) == (each["job"], str(each["seed"]))


def test_without_a_file_of_ones_own_none_is_told(tmp_path: Path) -> None:
    night = begin_night(plan_now("smoke", 77, (job("a-0", "timeout"),)), tmp_path)
    shown(night, tmp_path)
    (bucket,) = summary(night)["buckets"]
    assert bucket["reproduce"] == command_line("nightly", "smoke", "--seed", 77, "--only", "a-0")
