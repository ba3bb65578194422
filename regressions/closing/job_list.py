"""Lists of jobs as TOML files: `regressions/lists/*.toml`, one `[[job]]` a simulation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.closing.job import Job
from regressions.closing.pieces import LIST_PARAMETER
from sequences.document import DocumentError, StrictModel, first_problem, read_toml
from sequences.whole_file import write_text
from verif.uvm_tests.parameters import check_parameters

CLOSING_LIST = Path(__file__).parent.parent / "lists" / "closing.toml"
"""The standing regression list: the smallest set of simulations found that closes functional coverage."""

TESTS = ("language.LanguageTest", "protocol.RandomDelayTest", *LIST_PARAMETER)
"""The UVM tests that a list may name."""


class JobListError(Ga2Error):
    """A list of jobs that cannot be used; the message names file, place and what to do."""


class _JobDocument(StrictModel):
    """One `[[job]]`; fields as in `Job`."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    simulator: str
    test: str
    parameters: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, content: Any) -> Any:
        for key in content if isinstance(content, dict) else ():
            _known("key", key, tuple(cls.model_fields))
        return content

    @model_validator(mode="after")
    def _known_names(self) -> _JobDocument:
        _known("simulator", self.simulator, RTL_SIMULATORS)
        _known("test", self.test, TESTS)
        try:
            check_parameters(self.test, self.parameters)
        except Ga2Error as error:
            raise ValueError(str(error)) from error
        divisible = LIST_PARAMETER.get(self.test)
        if divisible is not None and divisible not in self.parameters:
            raise ValueError(f"{self.test} needs parameter {divisible!r} in this list")
        return self


def load_jobs(path: Path = CLOSING_LIST) -> list[Job]:
    """Return the jobs of a list, in its order, at least one.

    Raises JobListError for a file that cannot be read, is no TOML, or holds anything that a list does not.
    """
    try:
        document = read_toml(path)
    except DocumentError as error:
        raise JobListError(f"{error}; mend it or restore it from git") from error
    try:
        for key in document:
            _known("key", key, ("job",))
    except ValueError as error:
        raise JobListError(f"{path}: {error}") from error
    entries = document.get("job")
    if not isinstance(entries, list) or not entries:
        raise JobListError(f"{path}: there is no [[job]] in it; mend it or restore it from git")
    jobs: dict[str, Job] = {}
    for number, entry in enumerate(entries, start=1):
        job = _job(path, number, entry)
        if job.name in jobs:
            raise JobListError(f"{path}: two jobs are called {job.name}; rename one")
        jobs[job.name] = job
    return list(jobs.values())


def save_jobs(path: Path, header: Sequence[str], jobs: Sequence[Job]) -> None:
    """Write a list, led by comment lines. Raises Ga2Error where it cannot be written."""
    lines = [f"# {line}".rstrip() for line in header]
    for job in jobs:
        lines += ["", "[[job]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in vars(job).items() if key != "parameters"]
        lines += [
            "[job.parameters]",
            *(f"{key} = {_by_line(value)}" for key, value in job.parameters.items()),
        ]
    write_text(path, "\n".join(lines) + "\n")


def _job(path: Path, number: int, entry: object) -> Job:
    try:
        document = _JobDocument.model_validate(entry)
    except ValidationError as error:
        name = entry.get("name") if isinstance(entry, dict) else None
        which = f"job {number}" if name is None else f"job {number} ({printable(name, 60)})"
        raise JobListError(f"{path}: {which}: {first_problem(error)}") from error
    return Job(document.name, document.simulator, document.test, document.parameters)


def _known(what: str, name: str, choices: Sequence[str]) -> None:
    """Raise ValueError, with the nearest of the choices, unless the name is one of them."""
    try:
        one_of(what, name, choices)
    except Ga2Error as error:
        raise ValueError(str(error)) from error


def _by_line(value: Any) -> str:
    """Return a JSON value as TOML, with a line for each of many objects."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return "\n".join(["[", *(f"    {_toml(each)}," for each in value), "]"])
    return _toml(value)


def _toml(value: Any) -> str:
    """Return a JSON value as TOML; nested objects become inline tables."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    return json.dumps(value)
