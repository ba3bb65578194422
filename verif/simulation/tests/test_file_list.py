"""Verilog file lists: what they may hold, and what they refuse in a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from verif.simulation.file_list import Entry, FileListError, expand, parse, words_of


def expanded(path: Path) -> list[tuple[str, str]]:
    return [(entry.option, entry.value) for entry in expand([Entry("-f", str(path))])]


def test_last_line_without_newline_counts(tmp_path: Path) -> None:
    (tmp_path / "l.f").write_text("a.sv\n+define+BUG")
    assert expanded(tmp_path / "l.f") == [("", "a.sv"), ("+define+", "BUG")]
    (tmp_path / "outer.f").write_text("b.sv\n-f l.f")
    assert expanded(tmp_path / "outer.f") == [("", "b.sv"), ("", "a.sv"), ("+define+", "BUG")]


def test_comments_and_quotes(tmp_path: Path) -> None:
    (tmp_path / "l.f").write_text('a.sv // one\n# two\n"my chip/b.sv" c.v#three\r\n', encoding="utf-8")
    assert expanded(tmp_path / "l.f") == [("", "a.sv"), ("", "my chip/b.sv"), ("", "c.v")]


def test_several_values_of_one_option_are_options_of_their_own(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "l.f").write_text("+define+A+B=8'd3\n+incdir+one+two\n+libext+.v+.sv\n-y one -v two/x.v\n")
    assert expanded(tmp_path / "l.f") == [
        ("+define+", "A"),
        ("+define+", "B=8'd3"),
        ("+incdir+", f"{tmp_path}/one"),
        ("+incdir+", f"{tmp_path}/two"),
        ("+libext+", ".v"),
        ("+libext+", ".sv"),
        ("-y", f"{tmp_path}/one"),
        ("-v", "two/x.v"),
    ]


def test_one_list_may_be_named_twice(tmp_path: Path) -> None:
    (tmp_path / "l.f").write_text("a.sv\n")
    (tmp_path / "outer.f").write_text("-f l.f l.f\n")
    assert expanded(tmp_path / "outer.f") == [("", "a.sv"), ("", "a.sv")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-f l.f", r"l\.f: the list includes itself"),
        ("other.f", r"l\.f: the list includes itself"),
        ("-f", r"l\.f: -f at the end names nothing"),
        ("--pipe-filter ./evil", "option '--pipe-filter' is not allowed; allowed are "),
        ("-CFLAGS -DX", "option '-CFLAGS' is not allowed"),
        ("+timescale+1ns/1ps", r"option '\+timescale\+1ns/1ps' is not allowed"),
        ("+define+", r"option '\+define\+' is not allowed"),
        ("+libext+$(touch)", r"option '\+libext\+\$\(touch\)' is not allowed"),
        ("evil.cpp", "evil.cpp is neither a source"),
        ("a\0.sv", "holds a NUL character"),
    ],
)
def test_invalid_list_is_refused_in_a_line(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "l.f").write_text(text)
    (tmp_path / "other.f").write_text("-f l.f")
    with pytest.raises(FileListError, match=says) as raised:
        expanded(tmp_path / "l.f")
    assert "\n" not in str(raised.value)


def test_lists_that_double_at_each_level_are_refused(tmp_path: Path) -> None:
    for level in range(40):
        (tmp_path / f"{level}.f").write_text(f"{level + 1}.f {level + 1}.f\n")
    (tmp_path / "40.f").write_text("a.sv")
    with pytest.raises(FileListError, match="more than 10000 entries"):
        expanded(tmp_path / "0.f")


def test_list_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "l.f").write_bytes(b"\xff")
    with pytest.raises(FileListError, match=r"l\.f: .*UTF-8"):
        expanded(tmp_path / "l.f")


def test_variable_is_a_file_with_blanks_or_words(tmp_path: Path) -> None:
    path = tmp_path / "my chip.sv"
    path.touch()
    assert words_of(str(path)) == [str(path)]
    assert words_of(f'a.sv  "{path}"') == ["a.sv", str(path)]
    assert [entry.value for entry in parse(words_of(f'+define+X "{path}"'), "RTL")] == ["X", str(path)]
