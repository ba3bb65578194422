"""The sources that results belong to: what counts as one, what counts as a change, and how both are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY
from verif.sources import (
    SourcesError,
    area_digests,
    changed_sources,
    named_digests,
    named_files,
    require_sources,
    source_digests,
    unchanged_sources,
)

PLACES = {
    "hdl/rtl/a.sv": "rtl",
    "hdl/tb/deep/tb.f": "harness",
    "sim.mk": "harness",
    "refmodel/b.py": "model",
    "sequences/deep/er/c.toml": "sequences",
    "verif/d.py": "bench",
    "verif/bfm/native/e.c": "bench",
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in PLACES:
        write(tmp_path / name, "as it was")
    return tmp_path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return RTL outside the project, with an included file beside it and one in a folder of its own."""
    write(tmp_path / "own" / "chip.sv", "module ga2; endmodule")
    write(tmp_path / "own" / "defines.svh", "")
    write(tmp_path / "include" / "more.vh", "")
    list_file = tmp_path / "lists" / "own.f"
    write(list_file, f"+define+WIDTH=8\n+incdir+{tmp_path}/include\n{tmp_path}/own/chip.sv\n")
    return list_file


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def digests(repository: Path) -> dict[str, str]:
    return source_digests({}, repository)


@pytest.mark.parametrize(("name", "area"), [*PLACES.items(), ("sequences/new.py", "sequences")])
def test_changed_or_new_file_is_named_with_its_area(repository: Path, name: str, area: str) -> None:
    before = digests(repository)
    assert changed_sources(before, digests(repository)) == ""
    write(repository / name, "otherwise")
    after = digests(repository)
    assert changed_sources(before, after) == f"{area} ({name})"
    differing = {each for each, digest in area_digests(before).items() if digest != area_digests(after)[each]}
    assert differing == {area}


def test_removed_file_is_named(repository: Path) -> None:
    before = digests(repository)
    (repository / "refmodel/b.py").unlink()
    assert changed_sources(before, digests(repository)) == "model (refmodel/b.py)"


def test_rewritten_file_with_the_same_content_is_no_change(repository: Path) -> None:
    before = digests(repository)
    replacement = repository / "verif" / "d.tmp"
    write(replacement, "as it was")
    replacement.replace(repository / "verif" / "d.py")
    assert digests(repository) == before


def test_edit_that_keeps_size_and_time_stamp_is_a_change(repository: Path) -> None:
    before = digests(repository)
    path = repository / "verif" / "d.py"
    stamp = path.stat().st_mtime_ns
    write(path, "as it isn")
    os.utime(path, ns=(stamp, stamp))
    assert changed_sources(before, digests(repository)) == "bench (verif/d.py)"


def test_many_changes_are_counted(repository: Path) -> None:
    before = digests(repository)
    for number in range(7):
        write(repository / "verif" / f"x{number}.py", "")
    changed = changed_sources(before, digests(repository))
    assert changed == "bench (verif/x0.py, verif/x1.py, verif/x2.py, verif/x3.py, verif/x4.py and 2 more)"


def test_name_from_a_strange_file_cannot_reach_the_terminal_raw() -> None:
    assert changed_sources({"verif/\x1b[31m" + 200 * "x": "a"}, {}) == (
        f"bench (verif/\\x1b[31m{69 * 'x'}…(91 left out)…{40 * 'x'})"
    )


def test_file_without_influence_on_simulations_may_change(repository: Path) -> None:
    before = digests(repository)
    for name in ("verif/tests/test_d.py", "verif/README.md", "verif/__pycache__/d.pyc", "regressions/x.py"):
        write(repository / name, "otherwise")
    (repository / "verif" / ".#d.py").symlink_to("user@host.1234")  # an editor's lock
    os.mkfifo(repository / "verif" / "pipe.py")
    assert digests(repository) == before


def test_own_rtl_counts_in_the_place_of_the_project_s(own: Path) -> None:
    found = source_digests({"RTL": str(own)})
    assert not [name for name in found if name.startswith("hdl/rtl/")]
    mine = {name for name, _ in found.items() - source_digests({}).items()}
    folder = own.parents[1]
    files = {str(folder / name) for name in ("own/chip.sv", "own/defines.svh", "include/more.vh")}
    assert mine == {*files, "options in RTL"}


@pytest.mark.parametrize("name", ["own/chip.sv", "own/defines.svh", "include/more.vh", "own/new.vh"])
def test_changed_file_of_own_rtl_is_named(own: Path, name: str) -> None:
    chip = {"RTL": str(own)}
    before = source_digests(chip)
    write(own.parents[1] / name, "`define OTHER")
    assert changed_sources(before, source_digests(chip)) == f"rtl ({own.parents[1] / name})"


def test_option_of_own_rtl_is_a_source(own: Path) -> None:
    chip = {"RTL": str(own)}
    before = source_digests(chip)
    write(own, own.read_text().replace("WIDTH=8", "WIDTH=9"))
    assert changed_sources(before, source_digests(chip)) == "rtl (options in RTL)"


def test_other_choice_of_mirrors_or_scratchpad_is_named(own: Path) -> None:
    mirrors = own.with_name("mirrors.sv")
    write(mirrors, "")
    before = source_digests({"RTL": str(own)})
    after = source_digests({"RTL": str(own), "MIRRORS": str(mirrors), "SCRATCHPAD": "words"})
    assert changed_sources(before, after) == f"rtl ({mirrors}, SCRATCHPAD)"


def test_the_project_s_own_sources_are_all_there() -> None:
    """RTL, harness, model, stimulus, bench, coverage definitions, golden bundles."""
    found = source_digests({})
    assert found.keys() > {
        "hdl/rtl/ga2.sv",
        "hdl/tb/ga2_tb.sv",
        "hdl/tb/tb.f",
        "refmodel/machine/machine.py",
        "sequences/random_programs/default_weights.toml",
        "sequences/golden/softmax.json",
        "verif/scoreboard/scoreboard.py",
        "verif/uvm_tests/base_test.py",
    }
    assert all((REPOSITORY / name).is_file() for name in found)


@pytest.mark.parametrize("fails", [False, True])
def test_result_of_changed_sources_is_refused(own: Path, fails: bool) -> None:
    chip = {"RTL": str(own)}
    before = source_digests(chip)

    def run() -> None:
        write(own.parents[1] / "own" / "chip.sv", "module broken")
        if fails:
            raise SyntaxError("in what was half edited")

    with (
        pytest.raises(SourcesError, match=r"sources changed during the run: rtl \(.*own/chip\.sv\); restore"),
        unchanged_sources(before, chip),
    ):
        run()


def test_nothing_begins_with_changed_sources(own: Path) -> None:
    chip = {"RTL": str(own)}
    before = source_digests(chip)
    write(own.parents[1] / "own" / "chip.sv", "")
    began = False
    with pytest.raises(SourcesError), unchanged_sources(before, chip):
        began = True
    assert not began


def test_failure_with_unchanged_sources_is_as_it_was() -> None:
    with pytest.raises(SyntaxError), unchanged_sources(source_digests()):
        raise SyntaxError("it was there all along")


@pytest.mark.parametrize("name", ["own/deep/er/x.svh", "own/deep/words.dat"])
def test_what_own_rtl_includes_or_reads_is_a_source(repository: Path, own: Path, name: str) -> None:
    source = 'module ga2; `include "deep/y.svh"\ninitial $readmemh("deep/words.dat", m); endmodule'
    write(repository / "own" / "chip.sv", source)
    write(repository / "own" / "deep" / "y.svh", '`include "er/x.svh"')
    for each in ("own/deep/er/x.svh", "own/deep/words.dat"):
        write(repository / each, "0")
    before = source_digests({"RTL": str(own)}, repository)
    write(repository / name, "1")
    assert changed_sources(before, source_digests({"RTL": str(own)}, repository)) == f"rtl ({name})"


def test_file_that_a_parameter_names_is_a_source(tmp_path: Path) -> None:
    weights = tmp_path / "weights.toml"
    write(weights, "as it was")
    parameters = {
        "count": 3,
        "weights": str(weights),
        "groups": ["vectors", "no/such/file", "a\0b", "x" * 5000],
    }
    assert list(named_files(parameters)) == [str(weights)]
    before = source_digests({}) | named_digests([str(weights)])
    require_sources(before, {})
    write(weights, "otherwise")
    with pytest.raises(SourcesError, match=r"changed during the run: sequences \(named: \S+weights\.toml\)"):
        require_sources(before, {})
