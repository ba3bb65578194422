"""Runs the commands of the walk-through and keeps what they print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.exit_status import ExitStatus
from regressions.walkthrough.planted_error import FILE, WRONG, plant, repair
from sequences.whole_file import locked
from verif.failure.folder import REPORT_TEXT
from verif.failure.investigation import FAILURES
from verif.failure.recorded import read_report
from verif.qualification.mutated_rtl import MIRRORS
from verif.shell_line import quoted
from verif.simulation.chip import RTL_VARIABLES
from verif.simulation.plain_path import REPOSITORY
from verif.simulation.sim_make import OUT
from verif.waves.dump import WaveDump
from verif.waves.lanes import READ_PORT
from verif.waves.leaving import DUMP, PICTURE
from verif.waves.window import WaveWindow

DIRECTORY = REPOSITORY / "build" / "walkthrough"
DECODE = ("decode", "--sim", "verilator", "--plain", "--tokens", "1")

_VOLATILE = re.compile(r"^  (?:tools|commit|sources)\s.*\n", re.MULTILINE)
"""Lines of a report that differ from machine to machine."""

_SAID = {
    "pc": 38,
    "instructions": 67,
    "cycles": 7000,
    "left": "shrunk to 1 instruction: MM 3 0 4 1 3 1 0 0 1 0",
    "reads": [0, 1, 2, 4, 5, 5],
}
"""What the template tells in words of its own: where it is otherwise today, the words must change."""

_LINES_AROUND = 13
"""Lines of the RTL that are shown down to the wrong one."""


@dataclass(frozen=True)
class Page:
    """What the folder of a failure shows."""

    report: str
    picture: bytes
    """PNG."""


@dataclass(frozen=True)
class Story:
    """Everything that the page quotes."""

    file_list: str
    decode_command: str
    red_lines: list[str]
    """The last lines of the failing command."""
    mismatches: int
    """How many lines stand before them."""
    first_mismatch: str
    folder: str
    failure: Page
    shrunk: Page
    reads: list[int]
    """Scratchpad addresses that the shrunk program reads, in order."""
    explanation: str
    """What the model does in the shrunk program's instruction."""
    file: str
    first_line: int
    source: str
    """The RTL down to the wrong line, which is the last."""
    repaired: str
    """What `reproduce` prints once the error is repaired."""


def tell() -> Story:
    """Plant the error, find it, repair it; the failure's folder is removed in the end.

    Raises Ga2Error when a command does not do what the story needs.
    """
    DIRECTORY.parent.mkdir(parents=True, exist_ok=True)
    with locked(DIRECTORY.with_suffix(".lock")):
        return _tell()


def _tell() -> Story:
    file_list = plant(DIRECTORY)
    found = _run(DECODE, status=1, rtl=file_list)
    lines = found.splitlines()
    red = next(number for number, line in enumerate(lines) if line.startswith("first divergence"))
    mismatches = [line for line in lines if line.startswith("mismatch")]
    folder = FAILURES / Path(lines[-1].removesuffix(")").rpartition(" ")[2]).name
    shrunk = folder / "shrunk"
    first, source = _source(DIRECTORY / FILE)
    reads = _reads(shrunk)
    _require_as_said(folder, reads)
    failure, smallest = _page(folder), _page(shrunk)
    explanation = _run(("explain", str(shrunk / "program-00.json"), "--pc", "0"))
    repair(DIRECTORY)
    story = Story(
        file_list=_relative(str(file_list)),
        decode_command=" ".join(DECODE),
        red_lines=lines[red:],
        mismatches=red,
        first_mismatch=mismatches[0],
        folder=_relative(str(folder)),
        failure=failure,
        shrunk=smallest,
        reads=reads,
        explanation=explanation,
        file=FILE,
        first_line=first,
        source=source,
        repaired=_run(("reproduce", str(folder)), status=ExitStatus.OTHER_SOURCES),
    )
    shutil.rmtree(folder)
    return story


def _run(arguments: Sequence[str], status: int = 0, rtl: Path | None = None) -> str:
    """Run one command line and return what it prints, errors last."""
    environment = {name: value for name, value in os.environ.items() if name not in RTL_VARIABLES}
    if rtl is not None:
        environment |= {"RTL": str(rtl.relative_to(REPOSITORY)), "MIRRORS": MIRRORS}
    done = subprocess.run(
        [sys.executable, "-m", "regressions", *arguments],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    output = _relative(done.stdout + done.stderr)
    if done.returncode != status:
        raise Ga2Error(
            f"the walk-through expects status {status} of {' '.join(arguments)!r}, "
            f"found {done.returncode}:\n{output}"
        )
    return output


def _page(folder: Path) -> Page:
    try:
        report = (folder / REPORT_TEXT).read_text(encoding="utf-8")
        picture = (folder / PICTURE).read_bytes()
    except OSError as error:
        raise Ga2Error(f"the walk-through needs {error.filename}, which the failure did not leave") from error
    return Page(_relative(_VOLATILE.sub("", report)), picture)


def _require_as_said(folder: Path, reads: list[int]) -> None:
    """Raise Ga2Error where the template's own words would be wrong."""
    report = read_report(folder)
    shrunk = report["shrunk"]
    found = {
        "pc": report["pc"],
        "instructions": shrunk["original_instructions"],
        "cycles": shrunk["original_cycles"],
        "left": shrunk["sentence"],
        "reads": reads,
    }
    if found != _SAID:
        raise Ga2Error(f"the walk-through's template tells of {_SAID}, found {found}: tell it anew")


def _reads(folder: Path) -> list[int]:
    """Return the scratchpad addresses of all reads in a folder's window."""
    recorded = read_report(folder)["waves"]
    dump = WaveDump(folder / DUMP)
    edges = list(dump.cycles(WaveWindow.from_json(recorded)).values())
    enables = dump.values(f"{READ_PORT}_i", edges) or []
    addresses = dump.values(f"{READ_PORT}_addr_i", edges) or []
    return [address.bits for enable, address in zip(enables, addresses, strict=True) if enable.bits]


def _source(path: Path) -> tuple[int, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    last = next(number for number, line in reversed(list(enumerate(lines))) if WRONG in line)
    first = last - _LINES_AROUND + 1
    return first + 1, "\n".join(lines[first : last + 1])


def _relative(text: str) -> str:
    """Return what a command printed as it would be in a checkout at ~/ga2, with outputs below `out`."""
    outputs = str(OUT).removeprefix(f"{REPOSITORY}/")
    text = text.replace(f"(cd {quoted(str(REPOSITORY))} ", "(cd ~/ga2 ").replace(f"{REPOSITORY}/", "")
    return text.replace(f"{outputs}/", "out/")
