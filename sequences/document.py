"""Reads files that may come from anyone: the result is a value, or a DocumentError of one line.

Only regular files are read, and no more than their limits allow: a FIFO would keep a command waiting, and a
small text can fill the memory once it is parsed.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from refmodel.printable import printable
from sequences.text_file import FILE_BYTES, decoded

# Whoever reads a document takes these from here too.
from sequences.text_file import TEXT_BYTES as TEXT_BYTES
from sequences.text_file import DocumentError as DocumentError
from sequences.text_file import read_bytes as read_bytes
from sequences.text_file import read_text as read_text

MAX_DEPTH = 200
"""Objects, arrays or tables inside each other, about: pydantic has this limit too."""

_MOST_PROBLEMS = 200_000
"""Of a document that are listed to find the first."""

_NOT_TEXT = re.compile("[\0\ud800-\udfff]")

_T = TypeVar("_T")
_Model = TypeVar("_Model", bound=BaseModel)


class StrictModel(BaseModel):
    """A document without coercion: `true` is not a number, nor 1.0 an integer; unknown keys are misspelt."""

    model_config = ConfigDict(strict=True, extra="forbid")


@dataclass(frozen=True)
class Limits:
    """How large a document may be."""

    size: int = FILE_BYTES
    """Bytes."""
    values: int = 1_000_000
    """Elements of all arrays and objects."""
    members: int = 250_000
    """Members of all objects: each is up to a kilobyte while what is wrong with them is listed."""


DEFAULT_LIMITS = Limits()

TOML_BYTES = 1_000_000


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


def _json_content(path: Path, limits: Limits) -> bytes:
    """Return the content of a JSON file whose value is not larger than allowed.

    Commas, brackets and colons in strings are counted too, which makes the count too large, never too small.
    """
    content = read_bytes(path, limits.size)
    decoded(path, content)
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
