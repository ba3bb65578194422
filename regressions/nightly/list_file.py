"""Reads a list with all that it includes; whatever is wrong there is one message that names the place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from refmodel.printable import printable
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.nightly.job import BUILDS
from regressions.nightly.known import known_tests
from regressions.nightly.list_source import ListError, ListSource, read_source, source_of
from regressions.nightly.seeds import with_seed
from regressions.nightly.selection import stimulus_names
from regressions.nightly.test_list import (
    IncludedJobs,
    ListDocument,
    ListedTest,
    ReadyJob,
    ReadyJobs,
    TestList,
)
from sequences.document import TOML_BYTES, DocumentError, read_text
from sequences.near_names import did_you_mean
from verif.simulation.plain_path import REPOSITORY
from verif.uvm_tests.parameters import BrokenTestError, ParameterError, check_parameters

LISTS = REPOSITORY / "regressions" / "lists"
NAMES = ("smoke", "nightly", "weekly", "closure")

_Document = TypeVar("_Document", bound=ListDocument)
_Step = str | int


class _Placed(NamedTuple):
    """A test, and where it stands."""

    test: ListedTest
    source: ListSource[TestList] | ListSource[ReadyJobs]
    steps: tuple[_Step, ...]


def find_list(name: str) -> Path:
    """Return the file of a list, given by its name or as a path that ends in .toml."""
    return Path(name) if name.endswith(".toml") else LISTS / f"{one_of('LIST', name, NAMES)}.toml"


def load_list(path: Path) -> TestList:
    """Return a list, whatever it includes among its tests. Raises ListError."""
    source = read_source(path, TestList)
    tests = [*_included(source), *_tests(source)]
    if not tests:
        raise source.wrong("it lists nothing; add a [[test]]")
    _require_names(tests)
    return source.content.model_copy(update={"test": [each.test for each in tests]})


def _included(source: ListSource[TestList]) -> Iterator[_Placed]:
    """Yield the tests of the lists that a list includes."""
    here = {source.path.resolve(): "a list cannot include itself"}
    for number, name in enumerate(source.content.include):
        other = _read_beside(source, name, TestList, "include", number)
        told = f"include: {printable(name)}: "
        if other.path.resolve() in here:
            raise source.wrong(told + here[other.path.resolve()], "include", number)
        if other.content.include:
            raise source.wrong(f"{told}includes others itself; name those here instead", "include", number)
        here[other.path.resolve()] = "is included twice"
        yield from _tests(other)


def _tests(source: ListSource[TestList]) -> Iterator[_Placed]:
    """Yield a list's own tests, and those of the files with ready-made jobs that it names."""
    for number, listed in enumerate(source.content.test):
        steps = ("test", number)
        _require_known(source, listed.name, "test", listed.test, known_tests(), *steps, "test")
        _require_known(source, listed.name, "build", listed.build, BUILDS, *steps, "build")
        for nth, simulator in enumerate(listed.simulators):
            place = (*steps, "simulators", nth)
            _require_known(source, listed.name, "simulator", simulator, RTL_SIMULATORS, *place)
        _require_parameters(source, listed, *steps)
        yield _Placed(listed, source, steps)
    for number, included in enumerate(source.content.jobs):
        yield from _ready_jobs(source, included, number)


def _ready_jobs(source: ListSource[TestList], included: IncludedJobs, number: int) -> Iterator[_Placed]:
    _require_known(source, included.file, "build", included.build, BUILDS, "jobs", number, "build")
    jobs = _read_beside(source, included.file, ReadyJobs, "jobs", number, "file")
    options = included.model_dump(exclude={"file"})
    for nth, job in enumerate(jobs.content.job):
        steps = ("job", nth)
        _require_known(jobs, job.name, "test", job.test, known_tests(), *steps, "test")
        _require_known(jobs, job.name, "simulator", job.simulator, RTL_SIMULATORS, *steps, "simulator")
        _require_parameters(jobs, job, *steps)
        test = ListedTest.model_construct(
            **{**options, "simulators": [job.simulator]}, **job.model_dump(exclude={"simulator"})
        )
        yield _Placed(test, jobs, steps)


def _read_beside(
    source: ListSource[TestList], name: str, kind: type[_Document], *steps: _Step
) -> ListSource[_Document]:
    """Read a file that a list names; that it is not there is a mistake of the list."""
    path = source.path.parent / name
    try:
        text = read_text(path, TOML_BYTES)
    except DocumentError as error:
        raise source.wrong(f"{steps[0]}: {printable(path)}: {error.problem}", *steps) from error
    return source_of(path, text, kind)


def _require_known(
    source: ListSource[_Document],
    name: str,
    key: str,
    value: str,
    choices: Sequence[str],
    *steps: _Step,
) -> None:
    """Refuse a test, build or simulator that there is not."""
    if value not in choices:
        known = did_you_mean(value, choices) or f"; there are {', '.join(choices)}"
        raise source.wrong(f"{printable(name)}: unknown {key} {printable(repr(value), 80)}{known}", *steps)


def _require_parameters(source: ListSource[_Document], listed: ListedTest | ReadyJob, *steps: _Step) -> None:
    """Refuse parameters that the test does not take; a `$seed` stands for some seed."""
    try:
        check_parameters(listed.test, with_seed(listed.parameters, 1))
    except ParameterError as error:
        raise source.wrong(f"{listed.name}: {error}", *steps, "parameters", *error.steps) from error
    except BrokenTestError as error:
        raise source.wrong(f"{listed.name}: {error}", *steps, "test") from error


def _require_names(tests: Sequence[_Placed]) -> None:
    """Refuse tests whose jobs nobody could tell apart."""
    names: dict[str, _Placed] = {}
    stimuli: dict[str, _Placed] = {}
    for each in tests:
        first = names.setdefault(each.test.name, each)
        if first is not each:
            raise _same_name(each, first, "that name")
        for stimulus in stimulus_names(each.test):
            first = stimuli.setdefault(stimulus, each)
            if first is not each:
                raise _same_name(each, first, f"jobs {stimulus}, as this one would")


def _same_name(second: _Placed, first: _Placed, what: str) -> ListError:
    place = first.source.place(*first.steps, "name")
    return second.source.wrong(
        f"{second.test.name}: the test at {place} has {what}; rename one", *second.steps, "name"
    )
