"""Every command that a failing run prints, wherever, runs in a fresh shell in another directory."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from regressions.history.database import HISTORY_VARIABLE
from regressions.nightly.tests.planted import ROUNDING, plant
from regressions.tests.conftest import CommandLine, MakeList, nights_of
from verif.simulation.plain_path import REPOSITORY

LIST = """
description = "one failure"

[[test]]
name = "rounding"
test = "named_programs.NamedProgramsTest"
simulators = ["SIMULATOR"]
timeout = 300
parameters = { programs = ["requantizer/one"], seed = "$seed" }

[[test]]
name = "broken"
test = "broken_bench.KilledTest"
simulators = ["SIMULATOR"]
timeout = 300
"""

COMMAND = re.compile(r"\(cd .* -m regressions .*\)")


def in_fresh_shell(line: str, directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line],
        cwd=directory,
        env={"HOME": str(directory), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def before_arguments(line: str) -> str:
    """Return a line as far as the name of its command."""
    before, _, arguments = line.partition(" -m regressions ")
    return f"{before} {arguments.split()[0]}"


def texts(value: Any) -> Iterator[str]:
    """Yield all text of JSON values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def written(night: Path) -> Iterator[tuple[str, str]]:
    """Yield the text of every file of a night that shows commands, by kind of file."""
    for path in (night / "summary.json", *night.glob("failures/**/report.json")):
        for text in texts(json.loads(path.read_text(encoding="utf-8"))):
            yield path.name, text
    for path in night.glob("failures/**/report.txt"):
        yield path.name, path.read_text(encoding="utf-8")
    for case in ElementTree.parse(night / "junit.xml").getroot().iter():
        yield "junit.xml", case.get("message", "")
    for path in (night / "report").glob("*.html"):
        for code in re.findall(r"<code>(.*?)</code>", path.read_text(encoding="utf-8")):
            yield path.name, unescape(code)


@pytest.mark.slow("verilator")
def test_every_printed_command_runs_anywhere(
    simulator: str,
    command_line: CommandLine,
    make_list: MakeList,
    rtl_directory: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(HISTORY_VARIABLE, str(tmp_path / "history.sqlite"))
    plant((ROUNDING,), rtl_directory, monkeypatch)
    own = make_list(LIST.replace("SIMULATOR", simulator))
    ran = command_line("nightly", own, "--failed-seeds", tmp_path / "failed seeds.json")
    assert ran.status == 1, ran.error
    (night,) = nights_of(own)
    markdown = command_line("history", "markdown", night).output
    failures = command_line("history", "failures").output
    (program,) = night.glob("failures/*/program-00.json")
    replayed = command_line("replay", program, "--sim", simulator).error
    sources = [
        *(("terminal", ran.output), ("markdown", markdown), ("history", failures), ("replay", replayed)),
        *written(night),
    ]
    found = {
        re.sub(r"git checkout [0-9a-f]{40} ", "true ", line)
        for _, text in sources
        for line in COMMAND.findall(text)
    }
    assert {kind for kind, text in sources if COMMAND.search(text)} == {
        *("terminal", "markdown", "history", "replay", "summary.json", "junit.xml"),
        *("report.json", "report.txt", "index.html", "jobs.html"),
    }
    shells = {before_arguments(line): line for line in found}
    for line in shells.values():
        done = in_fresh_shell(line.removesuffix(")") + " --help)", tmp_path)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert "Usage: regressions " in done.stdout
    for line in found:  # what stands before them has been run; a fresh interpreter takes a second each
        arguments = shlex.split(line.removesuffix(")").partition(" -m regressions ")[2])
        helped = command_line(*arguments, "--help")
        assert (helped.status, "Usage: regressions " in helped.output) == (0, True), f"{line}: {helped.error}"
    (again,) = {line for line in found if " --only broken-000" in line}
    done = in_fresh_shell(again.removesuffix(")") + " --list)", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\n1 jobs, seed {}\n".format(*re.findall(r"--seed (\d+)", again)))
    (waves,) = {line for line in found if " -m regressions waves " in line}
    done = in_fresh_shell(waves, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cycle" in done.stdout
    shutil.rmtree(REPOSITORY / waves.removesuffix(")").rpartition(" ")[2])
