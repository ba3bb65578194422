"""Bounded reading: every file is a value or one line, soon and in little memory."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from sequences.document import (
    DocumentError,
    Limits,
    read_bytes,
    read_json,
    read_model,
    read_text,
    read_toml,
)


class Person(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    name: str
    ages: list[int]


READERS: list[Callable[[Path], Any]] = [
    read_bytes,
    read_text,
    read_json,
    read_toml,
    lambda path: read_model(path, Person),
]


def written(directory: Path, content: bytes) -> Path:
    path = directory / "document"
    path.write_bytes(content)
    return path


def problem(read: Callable[[Path], Any], path: Path) -> str:
    with pytest.raises(DocumentError) as caught:
        read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert "\n" not in message
    assert len(message) < len(str(path)) + 500
    return message.removeprefix(f"{path}:").strip()


@pytest.mark.parametrize("read", READERS)
def test_what_is_not_a_regular_file_is_refused_at_once(read: Callable[[Path], Any], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert problem(read, tmp_path / "fifo") == "is a FIFO, not a regular file; give a file"
    assert problem(read, tmp_path) == "is a directory, not a regular file; give a file"
    assert problem(read, Path("/dev/zero")) == "is a device, not a regular file; give a file"
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "s"))
        assert problem(read, tmp_path / "s").startswith("cannot be read")
    assert problem(read, tmp_path / "a\0b") == "is not a path; it holds a NUL character"


def test_a_missing_file_is_marked_as_missing(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="missing: cannot be read: No such file") as caught:
        read_json(tmp_path / "missing")
    assert caught.value.is_missing


def test_content_of_the_limit_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    assert read_bytes(written(tmp_path, b"1234"), 4) == b"1234"
    assert problem(lambda path: read_bytes(path, 3), tmp_path / "document").startswith("is larger than 3 byt")


def test_an_endless_sparse_file_is_refused_soon(tmp_path: Path) -> None:
    os.truncate(written(tmp_path, b""), 1 << 40)
    assert "is larger than 64,000,000 bytes" in problem(read_json, tmp_path / "document")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xef\xbb\xbf{}", "byte order mark (BOM); save it as UTF-8 without one"),
        ("{}".encode("utf-16"), "(BOM) of UTF-16"),
        (b'{\n"\xff": 1}', "is not UTF-8 (byte 3 of the file)"),
        (b'"a\0b"', "holds a NUL character"),
    ],
)
@pytest.mark.parametrize("read", READERS[1:])
def test_bytes_that_are_not_plain_text_are_named(
    read: Callable[[Path], Any], tmp_path: Path, content: bytes, expected: str
) -> None:
    assert expected in problem(read, written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"{", "is the file truncated?"),
        (b"[" * 100_000, "is nested more than 200 levels deep"),
        (b"[" * 202 + b"]" * 202, "is nested more than 200 levels deep"),
        (b'{"a":' * 100_000, "is nested more than 200 levels deep"),
        (b'["\\u0000"]', "escaped NUL"),
        (b'[{"\\ud800": 1}]', "half a surrogate pair"),
        (b'{"a": 1, "a": 2}', "key 'a' appears twice"),
        (b"[NaN]", "NaN is not a number of JSON"),
        (b"1" * 5000, "digits"),
        (b"[" + b"0," * 1_000_001 + b"0]", "holds more than 1,000,000 values"),
        (b"[" + b'{"":0},' * 250_001 + b"0]", "holds more than 250,000 members"),
    ],
)
def test_hostile_json_is_one_line(tmp_path: Path, content: bytes, expected: str) -> None:
    assert expected in problem(read_json, written(tmp_path, content))


def test_pairs_of_surrogates_are_letters(tmp_path: Path) -> None:
    assert read_json(written(tmp_path, b'["\\ud83d\\ude00", "\\\\u0000"]')) == ["😀", "\\u0000"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\na = [" + b"[" * 10_000, "2: is nested more than 200 levels deep"),
        (b"a" + b".a" * 499_000 + b" = 1", "1: holds more than 200 dots in a line"),
        (b"\na = " + b"1" * 5000, "2: has a number with too many digits"),
        (b'a = "\\u0000"', "escaped NUL"),
        (b"\na = ", "2: is not TOML: Invalid value (at end of document)"),
        (b"a = 1\na b", "2: is not TOML: Expected '=' after a key in a key/value pair, column 3"),
    ],
)
def test_hostile_toml_is_one_line(tmp_path: Path, content: bytes, expected: str) -> None:
    assert expected in problem(read_toml, written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b'{"name": "\\u0000", "ages": []}', "escaped NUL"),
        (b'{"name": "\\ud800", "ages": []}', "unexpected end of hex escape"),
        (b'{"name": "x", "ages": [1, "2"]}', "ages.1: Input should be a valid integer"),
        (b'{"' + b"k" * 100_000 + b'": 1}', "Field required"),
        (b'{"name": "", "ages": [], "a\\nb' + b"k" * 100_000 + b'": 1}', "a\\nbkkkk"),
        (b"[" * 100_000, "recursion limit exceeded"),
    ],
)
def test_a_document_of_another_shape_is_one_line(tmp_path: Path, content: bytes, expected: str) -> None:
    assert expected in problem(lambda path: read_model(path, Person), written(tmp_path, content))


@given(st.binary(max_size=200) | st.text("[]{}\":,\\u0d8\n=.'", max_size=200).map(str.encode))
def test_any_bytes_are_a_value_or_one_line(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    for read in READERS:
        try:
            read(path)
        except DocumentError:
            problem(read, path)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"[" + b"0," * 31_999_999 + b"0", "holds more than"),
        (b'{"name": 1, "ages": [' + b'"",' * 999_990 + b'""]}', "999,992 values are not as they must be"),
        (b'{"name": 1, "ages": [' + b"[]," * 499_990 + b"[]]}", "499,992 values are not as they must be"),
        (b"{" + b"".join(b'"%d":{},' % number for number in range(249_999)) + b'"":1}', "250,002 values"),
    ],
)
def test_the_worst_documents_of_the_limits_fit_into_memory(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    path = written(tmp_path, content)
    script = (
        "import sys; from pathlib import Path; from sequences.tests.test_document import *\n"
        "for read in READERS[2], READERS[4]:\n"
        "    try: read(Path(sys.argv[1]))\n"
        "    except DocumentError as error: print(error.problem)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, path],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (700_000_000, 700_000_000)),
    )
    assert expected in done.stdout


def test_limits_are_those_of_the_caller(tmp_path: Path) -> None:
    path = written(tmp_path, b'{"name": "x", "ages": [1, 2, 3]}')
    assert read_model(path, Person).ages == [1, 2, 3]
    for limits, expected in ((Limits(values=3), "3 values"), (Limits(members=1), "1 members")):
        assert expected in problem(partial(read_model, kind=Person, limits=limits), path)
