"""Reads files that may come from anyone: the result is a value, or a DocumentError of one line.

Only regular files are read, and no more than their limits allow: a FIFO would keep a command waiting, and a
small text can fill the memory once it is parsed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from refmodel.errors import Ga2Error
from refmodel.printable import printable

MAX_DEPTH = 200
"""Objects, arrays or tables inside each other, about: pydantic has this limit too."""

_CHUNK = 1 << 20

_MOST_PROBLEMS = 200_000
"""Of a document that are listed to find the first."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)

_NOT_TEXT = re.compile("[\0\ud800-\udfff]")

_T = TypeVar("_T")
_Model = TypeVar("_Model", bound=BaseModel)


class StrictModel(BaseModel):
    """A document without coercion: `true` is not a number, nor 1.0 an integer; unknown keys are misspelt."""

    model_config = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True)
class Limits:
    """How large a document may be."""

    size: int = 64_000_000
    """Bytes."""
    values: int = 1_000_000
    """Elements of all arrays and objects."""
    members: int = 250_000
    """Members of all objects: each is up to a kilobyte while what is wrong with them is listed."""


DEFAULT_LIMITS = Limits()

TEXT_BYTES = 16_000_000
"""Size of a text that people write, unless its reader says otherwise."""

TOML_BYTES = 1_000_000


class DocumentError(Ga2Error):
    """A file cannot be read, or does not hold what it must."""

    def __init__(
        self, path: Path, problem: str, *, line: int | None = None, is_missing: bool = False
    ) -> None:
        """Name the file, the line if it is known, and the problem."""
        super().__init__(f"{path}: {problem}" if line is None else f"{path}:{line}: {problem}")
        self.path = path
        self.problem = problem
        self.line = line
        self.is_missing = is_missing


def read_bytes(path: Path, size: int = DEFAULT_LIMITS.size) -> bytes:
    """Return the content of a regular file of at most `size` bytes. Raises DocumentError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            mode = os.fstat(descriptor).st_mode
            for is_kind, name in _KINDS:
                if is_kind(mode):
                    raise DocumentError(path, f"is {name}, not a regular file; give a file")
            content = bytearray()
            while len(content) <= size and (chunk := os.read(descriptor, _CHUNK)):
                content += chunk
        finally:
            os.close(descriptor)
    except ValueError as error:
        raise DocumentError(path, "is not a path; it holds a NUL character") from error
    except OSError as error:
        missing = error.errno in {errno.ENOENT, errno.ENOTDIR}
        raise DocumentError(path, f"cannot be read: {error.strerror}", is_missing=missing) from error
    if len(content) > size:
        raise DocumentError(path, f"is larger than {size:,} bytes, which is the limit; is it the right file?")
    return bytes(content)


def read_text(path: Path, size: int = TEXT_BYTES) -> str:
    """Return the text of a file: UTF-8 without a byte order mark or NUL. Raises DocumentError."""
    return _text(path, read_bytes(path, size))


def read_json(path: Path, limits: Limits = DEFAULT_LIMITS) -> Any:
    """Return the value of a JSON file. Raises DocumentError, also for keys that appear twice in an object."""
    content = _json_content(path, limits)
    try:
        value = json.loads(content, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DocumentError(path, f"is not JSON: {error.msg} at {where}; is the file truncated?") from error
    except RecursionError as error:
        raise _too_deep(path) from error
    except ValueError as error:  # a key that appears twice, a number of thousands of digits
        raise DocumentError(path, printable(error, 200)) from error
    _require_plain(path, value, b"\\u" in content)
    return value


def read_toml(path: Path, size: int = TOML_BYTES) -> dict[str, Any]:
    """Return the content of a TOML file. Raises DocumentError."""
    return parse_toml(path, read_text(path, size))


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """Return the content of a TOML text. Raises DocumentError, which names the file `path`.

    Lines are limited because tomllib takes time with the square of the length of a dotted key.
    """
    for number, each in enumerate(text.split("\n"), 1):
        if each.count(".") > MAX_DEPTH:
            raise DocumentError(path, f"holds more than {MAX_DEPTH} dots in a line", line=number)
    try:
        document = tomllib.loads(text)
    except RecursionError as error:
        raise _too_deep(path, _deep_line(text)) from error
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        line = text.count("\n") + 1 if found is None else int(found[2])  # at the end, or where it says
        message = printable(error, 200) if found is None else f"{printable(found[1], 200)}, column {found[3]}"
        raise DocumentError(path, f"is not TOML: {message}", line=line) from error
    except ValueError as error:  # Python's own limit
        found = re.search(r"\d{1000}", text)
        line = 1 if found is None else text.count("\n", 0, found.start()) + 1
        raise DocumentError(path, "has a number with too many digits", line=line) from error
    _require_plain(path, document, True)
    return document


def read_model(path: Path, kind: type[_T] | TypeAdapter[_T], limits: Limits = DEFAULT_LIMITS) -> _T:
    """Return a JSON file as pydantic validates it. Raises DocumentError with its first problem."""
    content = _json_content(path, limits)
    adapter = kind if isinstance(kind, TypeAdapter) else TypeAdapter(kind)
    if b"\\u0000" in content:  # of all that is refused, pydantic lets only this pass
        read_json(path, limits)
    try:
        return adapter.validate_json(content)
    except ValidationError as error:
        raise DocumentError(path, first_problem(error)) from error


def read_toml_model(path: Path, kind: type[_Model]) -> _Model:
    """Return a TOML file as a model. Raises DocumentError with its first problem."""
    try:
        return kind.model_validate(read_toml(path))
    except ValidationError as error:
        raise DocumentError(path, first_problem(error)) from error


def first_problem(error: ValidationError) -> str:
    """Return where and what the first problem of a document is, in one line."""
    problem = problems_of(error)[0]
    place = printable(".".join(map(str, problem["loc"])), 100)
    message = printable(problem["msg"].removeprefix("Value error, "), 300)
    return f"{place}: {message}" if place else message


def counted(problems: Sequence[ErrorDetails]) -> str:
    """Return how many problems there are, to stand behind the first; empty for one alone."""
    return f" (the first of {len(problems)} problems)" if len(problems) > 1 else ""


def dotted(steps: Sequence[int | str]) -> str:
    """Return the place of a value in a document, for example `groups[0].name`, cut if it is long."""
    place = ""
    for step in steps:
        place += f"[{step}]" if isinstance(step, int) else f".{step}" if place else step
    return printable(place, 100)


def problems_of(error: ValidationError) -> list[ErrorDetails]:
    """Return the problems of a document; their number alone where a list of them would fill the memory."""
    if error.error_count() <= _MOST_PROBLEMS:
        return error.errors(include_url=False)
    message = f"{error.error_count():,} values are not as they must be; is it the right file?"
    return [ErrorDetails(type="too_many", loc=(), msg=message, input=None)]


def _text(path: Path, content: bytes) -> str:
    if content.startswith(b"\xef\xbb\xbf"):
        raise DocumentError(path, "begins with a byte order mark (BOM); save it as UTF-8 without one", line=1)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentError(path, "begins with a byte order mark (BOM) of UTF-16; save it as UTF-8", line=1)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DocumentError(path, f"is not UTF-8 (byte {error.start} of the file)", line=line) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DocumentError(path, "holds a NUL character; is it a text?", line=line)
    return text


def _json_content(path: Path, limits: Limits) -> bytes:
    """Return the content of a JSON file whose value is not larger than allowed.

    Commas, brackets and colons in strings are counted too, which makes the count too large, never too small.
    """
    content = read_bytes(path, limits.size)
    _text(path, content)
    values = content.count(b",") + content.count(b"[") + content.count(b"{")
    for name, found, limit in (
        ("values", values, limits.values),
        ("members of objects", content.count(b":"), limits.members),
    ):
        if found > limit:
            raise DocumentError(path, f"holds more than {limit:,} {name}, which is the limit")
    return content


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, in which json.loads would let the last of two equal keys win in silence."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise ValueError(f"key {printable(repr(key), 60)} appears twice in one object; remove one")
        values[key] = value
    return values


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number of JSON")


def _require_plain(path: Path, document: object, with_strings: bool) -> None:
    """Refuse a value that is nested too deeply, or holds strings that UTF-8 or C has not."""
    level = [document]
    for _ in range(MAX_DEPTH + 1):
        if with_strings:
            for text in _strings(level):
                if _NOT_TEXT.search(text):
                    raise DocumentError(path, "holds an escaped NUL or half a surrogate pair; remove it")
        level = [
            inner
            for each in level
            if isinstance(each, list | dict)
            for inner in (each if isinstance(each, list) else each.values())
        ]
        if not level:
            return
    raise _too_deep(path)


def _strings(values: list[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            yield from value


def _too_deep(path: Path, line: int | None = None) -> DocumentError:
    return DocumentError(path, f"is nested more than {MAX_DEPTH} levels deep", line=line)


def _deep_line(text: str) -> int:
    """Return about where a document is nested too deeply: brackets in strings are counted too."""
    depth = 0
    for line, each in enumerate(text.split("\n"), 1):
        for character in each:
            depth += (character in "[{") - (character in "]}")
            if depth > MAX_DEPTH:
                return line
    return 1
