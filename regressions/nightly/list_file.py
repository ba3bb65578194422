"""Reads a list from its file; whatever is wrong there is one message that names the place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import Field, JsonValue, ValidationError

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, did_you_mean, one_of
from regressions.nightly.job import BUILDS
from regressions.nightly.test_list import NAME_PATTERN, IncludedJobs, ListDocument, ListedTest, TestList
from regressions.testplan.project_tests import uvm_tests
from verif.sim_make import REPOSITORY

LISTS = REPOSITORY / "regressions" / "lists"
NAMES = ("smoke", "nightly", "weekly", "closure")


class ListError(Ga2Error):
    """A list cannot be read, or asks for what is not there."""


class ReadyJob(ListDocument):
    """A job with fixed parameters."""

    name: str = Field(pattern=NAME_PATTERN)
    simulator: str
    test: str
    parameters: dict[str, JsonValue]


class ReadyJobs(ListDocument):
    """A file of such jobs, which a list may include."""

    job: list[ReadyJob] = Field(min_length=1)


_Document = TypeVar("_Document", bound=ListDocument)


def find_list(name: str) -> Path:
    """Return the file of a list, given by its name or as a path that ends in .toml."""
    return Path(name) if name.endswith(".toml") else LISTS / f"{one_of('LIST', name, NAMES)}.toml"


def load_list(path: Path) -> TestList:
    """Return a list, whatever it includes among its tests. Raises ListError, UnknownNameError."""
    listed = _read(path, TestList)
    _check_names(path, "test", listed.test)
    tests = [each for file in listed.include for each in _tests_of_other(path, path.parent / file)]
    tests += listed.test
    tests += [each for file in listed.jobs for each in _ready_jobs(path.parent / file.file, file)]
    if not tests:
        raise ListError(f"{path}: it lists nothing; add a [[test]]")
    names = [each.name for each in tests]
    for name in names:
        if names.count(name) > 1:
            raise ListError(f"{path}: two tests are called {name}; rename one")
    return listed.model_copy(update={"test": tests})


@cache
def known_tests() -> tuple[str, ...]:
    """Return the UVM tests that there are, as `decode.DecodeTest`."""
    files = (each.partition("::") for each in uvm_tests(REPOSITORY))
    return tuple(f"{Path(file).stem}.{name}" for file, _, name in files)


def _tests_of_other(path: Path, other: Path) -> list[ListedTest]:
    """Return the tests of a list that the list in `path` includes."""
    if _read(other, TestList).include:
        raise ListError(f"{path}: it includes {other.name}, which includes others; name those here instead")
    return load_list(other).test


def _ready_jobs(path: Path, included: IncludedJobs) -> Iterator[ListedTest]:
    jobs = _read(path, ReadyJobs).job
    options = included.model_dump(exclude={"file"})
    tests = [
        ListedTest.model_construct(
            **{**options, "simulators": [job.simulator]}, **job.model_dump(exclude={"simulator"})
        )
        for job in jobs
    ]
    _check_names(path, "job", tests)
    yield from tests


def _check_names(path: Path, table: str, tests: Sequence[ListedTest]) -> None:
    """Refuse tests, builds and simulators that there are not."""
    for number, each in enumerate(tests):
        named = [("test", each.test, known_tests()), ("build", each.build, BUILDS)]
        named += [("simulator", simulator, RTL_SIMULATORS) for simulator in each.simulators]
        for key, value, choices in named:
            if value not in choices:
                line = _line(path.read_text(encoding="utf-8"), table, number, key)
                known = did_you_mean(value, choices) or f"; there are {', '.join(choices)}"
                raise ListError(f"{path}{line}: {each.name}: unknown {key} {value!r}{known}")


def _read(path: Path, kind: type[_Document]) -> _Document:
    try:
        text = path.read_text(encoding="utf-8")
        return kind.model_validate(tomllib.loads(text))
    except OSError as error:
        raise ListError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ListError(f"{path}: is not TOML: {error}") from error
    except RecursionError as error:
        raise ListError(f"{path}: is nested too deeply") from error
    except ValidationError as error:
        raise ListError(f"{path}{_told(text, kind, error)}") from error


def _told(text: str, kind: type[ListDocument], error: ValidationError) -> str:
    """Return where and what the first problem is."""
    found = error.errors(include_url=False)
    problem = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    steps = problem["loc"]
    key = str(steps[2] if len(steps) > 2 else steps[0])  # values may be nested deeper
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = f"unknown key{did_you_mean(key, _keys(kind, steps))}"
    if len(steps) < 2 or not isinstance(steps[1], int):
        return f": {key}: {message}"
    table = str(steps[0])
    content = tomllib.loads(text)[table][steps[1]]
    name = content.get("name", f"[[{table}]]") if isinstance(content, dict) else f"[[{table}]]"
    if len(steps) == 2:  # it is about the table as a whole
        return f"{_line(text, table, steps[1])}: {name}: {message}"
    return f"{_line(text, table, steps[1], key)}: {name}: {key}: {message}"


def _keys(kind: type[ListDocument], steps: Sequence[str | int]) -> list[str]:
    """Return the keys of the table that a problem is in."""
    parts: dict[str, type[ListDocument]] = {"test": ListedTest, "jobs": IncludedJobs, "job": ReadyJob}
    table = kind if len(steps) == 1 else parts[str(steps[0])]
    return list(table.model_fields)


def _line(text: str, table: str, number: int, key: str = "") -> str:
    """Return `:LINE` of a key in the `number`-th [[table]], or of its heading if there is no such key.

    Nothing is returned for tables that are written otherwise.
    """
    lines = text.splitlines()
    begins = [at for at, line in enumerate(lines) if line.strip() == f"[[{table}]]"]
    if number >= len(begins):
        return ""
    end = next((at for at in range(begins[number] + 1, len(lines)) if lines[at].startswith("[[")), len(lines))
    for at in range(begins[number] + 1, end):
        if key and re.match(rf"(\[\w+\.)?{re.escape(key)}s?\b", lines[at].strip()):
            return f":{at + 1}"
    return f":{begins[number] + 1}"
