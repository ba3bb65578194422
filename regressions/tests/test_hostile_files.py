"""Files that may come from anyone, and outputs that are not plain files: no hang, no traceback, no loss."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.errors import Ga2Error
from refmodel.machine.assembler import assemble
from regressions.closing.job_list import CLOSING_LIST, load_jobs
from regressions.coverage.packed_hits import load_packed
from regressions.history.document import NightDocument, read_night
from regressions.history.tests.made_up import made_job as history_job
from regressions.history.tests.made_up import made_night
from regressions.nightly.failed_seeds import failed_before
from regressions.nightly.farm import load_farm
from regressions.nightly.list_file import LISTS, load_list
from regressions.nightly.night import PLAN, NightError, begin_night, open_night, plan_now
from regressions.nightly.result import JobResult, Status, damage_of, read_result, write_result
from regressions.nightly.tests.fakes import job as made_job
from regressions.tests.conftest import CommandLine, Outcome
from sequences.bundle_file import load_bundle
from sequences.document import read_text
from sequences.golden import GOLDEN_DIRECTORY
from sequences.program_list_file import load_programs
from sequences.random_programs.weights import SHORT_WEIGHTS, load_weights
from verif.code_coverage.counts import read_counts
from verif.code_coverage.exclusions import EXCLUSIONS, load_exclusions
from verif.code_coverage.tests.coverage_files import counts_file
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.database_file import save_database
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity
from verif.failure.recorded import read_report
from verif.run_report import RunReport
from verif.simulation import sim_make
from verif.simulation.sim_make import BuildError, build

BUNDLE = str(GOLDEN_DIRECTORY / "softmax.json")

KINDS = (
    "bundle", "assembly", "programs.json", "weights", "list", "closing", "farm", "summary", "night.json",
    "a-0.json", "failed", "report.json", "database", "counts", "exclusions", "run report",
)  # fmt: skip
"""Of documents."""

READING = [
    ["replay", "FILE"],
    ["disasm", "FILE"],
    ["explain", "FILE"],
    ["timeline", "FILE"],
    ["diff", "FILE"],
    ["shrink", "FILE"],
    ["asm", "FILE", "-o", "/dev/null"],
    ["coverage", "report", "FILE"],
    ["code-coverage", "report", "FILE"],
    ["nightly", "FILE"],
    ["nightly", "smoke", "--engine", "slurm", "--farm", "FILE"],
    ["nightly", "smoke", "--failed-seeds", "FILE"],
    ["nightly", "--resume", "FOLDER"],
    ["history", "import", "FILE"],
    ["history", "nights", "--history", "FILE"],
    ["report", "FOLDER"],
    ["reproduce", "FOLDER"],
    ["shrink", "FOLDER"],
]
"""Every way to name a document on the command line."""

WRITING = [
    ["asm", "TEXT", "-o", "OUT"],
    ["explain", BUNDLE, "--json", "OUT"],
    ["timeline", BUNDLE, "--json", "OUT"],
    ["timeline", BUNDLE, "--png", "OUT.png"],
    ["replay", BUNDLE, "--json", "OUT"],
    ["code-coverage", "merge", "OUT", "COUNTS"],
    ["code-coverage", "export", "COUNTS", "--lcov", "OUT"],
]


def refused(outcome: Outcome) -> str:
    assert outcome.status == 2, outcome
    assert len(outcome.error.splitlines()) == 1, outcome.error
    assert "Traceback" not in outcome.error
    assert len(outcome.error) < 1000
    return outcome.error


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_a_fifo_in_the_place_of_a_document_is_refused(
    command: list[str], command_line: CommandLine, tmp_path: Path
) -> None:
    fifo = tmp_path / "fifo.toml"  # lists and farms are named so
    os.mkfifo(fifo)
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("report.json", "programs.json", "night.json", "summary.json"):
        os.mkfifo(folder / name)
    named = {"FILE": str(fifo), "FOLDER": str(folder)}
    error = refused(command_line(*(named.get(each, each) for each in command)))
    assert "not a regular file" in error or "there is no night" in error


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"a": "\\u0000", "b": "\\ud800"}', b"\xef\xbb\xbf{}"])
@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_hostile_content_is_one_line(
    command: list[str], content: bytes, command_line: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(content)
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("report.json", "programs.json", "night.json", "summary.json"):
        (folder / name).write_bytes(content)
    named = {"FILE": str(path), "FOLDER": str(folder)}
    refused(command_line(*(named.get(each, each) for each in command)))


def valid_documents(directory: Path) -> dict[str, tuple[bytes, Callable[[Path], object]]]:
    """Return for every kind of document a valid one, and what reads it from a file."""
    model, run = load_model(), RunIdentity("t", 1, "icarus", "b")
    item = next(iter(model))
    hits = RunHits(1, {item.first + next(iter(item.bin_numbers())): BinHits(2, "p")})
    database = CoverageDatabase(model.fingerprint, {run: hits}, {})
    save_database(directory / "database", database, model)
    RunReport("T").write(directory / "report")
    night = begin_night(plan_now("smoke", 1, (made_job("a-0"),)), directory)
    write_result(directory, JobResult(made_job("a-0"), Status.PASSED))
    failed = {"simulator": "icarus", "seed": 1, "chip": {}, "plusargs": [], "first_sign": "", "kind": None}
    series = [{"name": "x", "bundle": "b.json", "stimulus": {"reset_first": True}, "strays_expected": False}]
    text = 'LD 0x10 2 3 # x\n.ext 0: 1 2 -3\n.note "n"\nHALT\n'
    summary = made_night("n", 3, [history_job("x-0")])
    found: dict[str, tuple[str, Callable[[Path], object]]] = {
        "bundle": (Path(BUNDLE).read_text(), load_bundle),
        "assembly": (text, lambda path: assemble(read_text(path))),
        "programs.json": (json.dumps(series), lambda path: load_programs(path.parent)),
        "weights": (SHORT_WEIGHTS.read_text(), load_weights),
        "list": ((LISTS / "smoke.toml").read_text(), load_list),
        "closing": (CLOSING_LIST.read_text()[:3000].rpartition("[[job]]")[0], load_jobs),
        "farm": ('workers = 1\nmemory = "1GB"\nwalltime = "08:00:00"\n', load_farm),
        "summary": (json.dumps(summary), lambda path: read_night(path, NightDocument)),
        "night.json": ((night.directory / PLAN).read_text(), lambda path: open_night(path.parent)),
        "a-0.json": (
            (directory / "a-0.json").read_text(),
            lambda path: [read(path.parent, made_job("a-0")) for read in (read_result, damage_of)],
        ),
        "failed": ("[]", failed_before),
        "report.json": (json.dumps(failed), lambda path: read_report(path.parent)),
        "database": ((directory / "database").read_text(), lambda path: load_packed(path, model)),
        "counts": (counts_file(directory / "a.dat").read_text(), read_counts),
        "exclusions": (EXCLUSIONS.read_text()[:3000].rpartition("[[exclusions]]")[0], load_exclusions),
        "run report": ((directory / "report").read_text(), RunReport.read),
    }
    assert set(found) == set(KINDS)
    return {name: (text.encode(), read) for name, (text, read) in found.items()}


Document = Callable[[str], tuple[bytes, Callable[[Path], object]]]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Document:
    """Return a valid document of a kind, and what reads it."""
    return valid_documents(tmp_path_factory.mktemp("documents")).__getitem__


NASTY = [
    b"[" * 5000, b"{", b"]", b'"', b"1" * 5000, b"-1", b"1e999", b"\\u0000", b"\\ud800", b"null",
    b"\xef\xbb\xbf", b"\n", b"\x1b[2J", b"x" * 5000, b"'", b"true", b"0.5", b'"a"', b"[]", b"{}",
]  # fmt: skip
MUTATIONS = st.tuples(st.floats(0, 1), st.integers(0, 8), st.binary(max_size=4) | st.sampled_from(NASTY))


@settings(max_examples=30)
@given(mutations=st.lists(MUTATIONS, max_size=3))
@pytest.mark.parametrize("name", KINDS)
def test_a_mutated_document_is_a_value_or_one_line(
    name: str,
    mutations: list[tuple[float, int, bytes]],
    document: Document,
    tmp_path: Path,
) -> None:
    content, read = document(name)
    for place, length, new in mutations:
        at = int(place * len(content))
        content = content[:at] + new + content[at + length :]
    path = tmp_path / name
    (tmp_path / "b.json").write_bytes(Path(BUNDLE).read_bytes())
    path.write_bytes(content)
    message = complaint(read, path)
    assert mutations or message == ""
    assert "\n" not in message
    assert len(message) < 1000 + 3 * len(str(path))


def complaint(read: Callable[[Path], object], path: Path) -> str:
    """Return what is wrong with a document; nothing if it is read."""
    try:
        read(path)
    except Ga2Error as error:
        return str(error)
    return ""


@pytest.fixture
def outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what stands for the words of `WRITING`; code coverage finds its source here."""
    (tmp_path / "text.asm").write_text("HALT\n")
    monkeypatch.setattr("regressions.commands.code_coverage.REPOSITORY", tmp_path)
    monkeypatch.setattr("regressions.commands.code_coverage.load_exclusions", list)
    (tmp_path / "m.sv").write_text("\n" * 5)
    counts = counts_file(tmp_path / "a.dat")
    found = {
        "TEXT": tmp_path / "text.asm",
        "COUNTS": counts,
        "OUT": tmp_path / "out",
        "OUT.png": tmp_path / "out.png",
    }
    return {name: str(path) for name, path in found.items()}


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_a_device_is_written_into_and_stays(
    command: list[str], command_line: CommandLine, outputs: dict[str, str]
) -> None:
    out = Path(next(outputs[each] for each in command if each.startswith("OUT")))
    out.symlink_to("/dev/full")
    error = refused(command_line(*(outputs.get(each, each) for each in command)))
    assert error.endswith("cannot be written: No space left on device\n")
    assert out.is_symlink()
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_the_target_of_a_link_is_replaced_and_the_link_stays(
    command: list[str], command_line: CommandLine, outputs: dict[str, str], tmp_path: Path
) -> None:
    out = Path(next(outputs[each] for each in command if each.startswith("OUT")))
    (tmp_path / "target").write_text("old")
    out.symlink_to("target")
    assert command_line(*(outputs.get(each, each) for each in command)).status == 0
    assert out.is_symlink()
    assert (tmp_path / "target").read_bytes() not in (b"", b"old")


@pytest.mark.parametrize("output", ["", ".", "..", "directory"])
def test_a_bundle_is_not_written_over_a_directory(
    output: str, command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("directory").mkdir()
    Path("x.asm").write_text("HALT\n")
    assert (
        "is not the name of a file" in refused(command_line("asm", "x.asm", "-o", output))
        or output == "directory"
    )


@pytest.mark.parametrize("text", ["", "\n# nothing\n", ".ext 0: 1 2\n"])
def test_a_text_without_instructions_is_not_assembled(
    text: str, command_line: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "x.asm").write_text(text)
    error = refused(command_line("asm", tmp_path / "x.asm", "-o", tmp_path / "out"))
    assert "x.asm: holds no instruction" in error
    assert not (tmp_path / "out").exists()


def test_build_killed_from_outside_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim_make, "run_make", lambda *_: (-9, ""))
    with pytest.raises(BuildError, match=r"^building for icarus was killed \(status -9\)$"):
        build("icarus")


def test_run_directory_with_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "night.json").write_text("{}")
    (tmp_path / "junit.xml").symlink_to(tmp_path / "night.json")
    with pytest.raises(NightError, match=r"junit\.xml: is a link, which nothing here makes; remove it$"):
        open_night(tmp_path)


def test_circle_of_links_as_an_output_is_one_line(command_line: CommandLine, tmp_path: Path) -> None:
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    outcome = command_line("coverage", "export", "--html", circle, tmp_path / "none.json")
    assert outcome.status == 2
    assert outcome.error.count("\n") == 1
