"""A file of a list, read and checked: whatever is wrong there is told by its line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from regressions.nightly.test_list import IncludedJobs, ListDocument, ListedTest, ReadyJob
from regressions.toml_lines import line_of
from sequences.document import TOML_BYTES, DocumentError, parse_toml, problems_of, read_text
from sequences.near_names import did_you_mean

_PARTS: dict[str, type[ListDocument]] = {"test": ListedTest, "jobs": IncludedJobs, "job": ReadyJob}
"""What stands below headings in double brackets."""

_TOLD_LENGTH = 100
"""Of a name that the user gave, however long it is."""


class ListError(Ga2Error):
    """A list cannot be read, or asks for what is not there."""


_Document = TypeVar("_Document", bound=ListDocument)


@dataclass(frozen=True)
class ListSource(Generic[_Document]):
    """A file with what it says."""

    path: Path
    text: str
    content: _Document

    def place(self, *steps: str | int) -> str:
        """Return `FILE:LINE` of a value."""
        return f"{printable(self.path)}:{line_of(self.text, steps)}"

    def wrong(self, message: str, *steps: str | int) -> ListError:
        """Return an error about a value."""
        return ListError(f"{self.place(*steps)}: {message}")


def read_source(path: Path, kind: type[_Document]) -> ListSource[_Document]:
    """Read a file of that kind. Raises ListError."""
    try:
        return source_of(path, read_text(path, TOML_BYTES), kind)
    except DocumentError as error:
        place = printable(path) if error.line is None else f"{printable(path)}:{error.line}"
        raise ListError(f"{place}: {error.problem}") from error


def source_of(path: Path, text: str, kind: type[_Document]) -> ListSource[_Document]:
    """Return the list that the text of a file holds. Raises ListError."""
    try:
        document = parse_toml(path, text)
    except DocumentError as error:
        raise ListError(f"{printable(path)}:{error.line or 1}: {error.problem}") from error
    try:
        return ListSource(path, text, kind.model_validate(document))
    except ValidationError as error:
        line, message = _told(text, document, kind, error)
        raise ListError(f"{printable(path)}:{line}: {message}") from error


def named(table: object, default: str) -> str:
    """Return by which name a table is told: its own, if it has one."""
    return printable(table.get("name", default), _TOLD_LENGTH) if isinstance(table, dict) else default


def _told(
    text: str, document: dict[str, Any], kind: type[ListDocument], error: ValidationError
) -> tuple[int, str]:
    """Return where and what the first problem is; an unknown key may be why another one is missing."""
    found = problems_of(error)
    problem = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    steps = (*problem["loc"], *filter(None, [problem.get("ctx", {}).get("key")]))
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = f"unknown key{did_you_mean(str(steps[-1]), _keys(kind, steps))}"
    if problem["type"] == "model_type":
        message = "Input should be a table"
    if problem["type"] == "list_type" and len(steps) == 1 and steps[0] in _PARTS:
        message += f"; its heading is [[{steps[0]}]]"
    if not steps:
        return 1, message
    line = line_of(text, steps)
    if steps[0] in _PARTS and len(steps) > 1:
        table = named(document[str(steps[0])][steps[1]], f"[[{steps[0]}]]")
        is_of_several = problem["type"] == "inconsistent"  # keys, which its message names
        key = "" if is_of_several or len(steps) == 2 else f"{printable(steps[2], _TOLD_LENGTH)}: "
        return line, f"{table}: {key}{message}"
    return line, f"{printable(steps[0], _TOLD_LENGTH)}: {message}"


def _keys(kind: type[ListDocument], steps: Sequence[str | int]) -> list[str]:
    """Return the keys of the table that a problem is in."""
    table = kind if len(steps) == 1 else _PARTS[str(steps[0])]
    return list(table.model_fields)
