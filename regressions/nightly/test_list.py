"""A list of tests as data, as regressions/lists/NAME.toml holds it."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from regressions.choices import RTL_SIMULATORS
from regressions.nightly.job import Timeout
from regressions.nightly.seeds import Seed, wants_seed

X_RANDOM_STATES = 4
"""Initial states that a test of build x-random is tried in, unless it says otherwise."""


MOST_JOBS = 100_000
"""That one test may become on each simulator."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
"""A job's files are called after it, and a file's name has 255 bytes at most."""


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError("give it up to 100 small letters, digits and -, and begin with no -")
    return name


def _checked_reason(text: str) -> str:
    if text and not text.strip():
        raise ValueError("is blank; say why")
    return text


def _checked_file(name: str) -> str:
    if not name or "\0" in name:
        raise ValueError("names no file")
    return name


Name = Annotated[str, AfterValidator(_checked_name)]

Reason = Annotated[str, AfterValidator(_checked_reason)]

FileName = Annotated[str, AfterValidator(_checked_file)]


class ListDocument(BaseModel):
    """What all parts of a list have in common: no key that nobody knows."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class ListedTest(ListDocument):
    """One entry: a test, where it runs, and how often."""

    name: Name
    """Unique in the list; the seeds of its jobs come from it."""
    test: str
    """A UVM test, as `decode.DecodeTest`."""
    timeout: Timeout
    """Seconds of wall clock that one simulation may take."""
    simulators: list[str] = Field(default=list(RTL_SIMULATORS), min_length=1)
    build: str = "optimized"
    reseed: int = Field(default=1, ge=1, le=MOST_JOBS)
    """How many jobs it becomes on each simulator, every one with a seed of its own."""
    seeds: list[Seed] = []
    """Seeds to run it with instead."""
    reason: Reason = ""
    """Why so many, or why these."""
    initial_states: int = Field(default=X_RANDOM_STATES, ge=1, le=MOST_JOBS)
    """Of build x-random: how many random initial states Verilator is tried in."""
    tags: list[str] = []
    skip: Reason = ""
    """Why it does not run for now."""
    parameters: dict[str, JsonValue] = {}
    """What the test gets; `"$seed"` anywhere in it stands for the job's seed."""

    @model_validator(mode="after")
    def _consistent(self) -> ListedTest:
        given = self.model_fields_set
        several = "seeds" if self.seeds else "reseed" if self.reseed > 1 else ""
        if "seeds" in given and "reseed" in given:
            raise _wrong("seeds", "it has both seeds and reseed; give one of them")
        if several and not self.reason:
            raise _wrong(several, "it has no reason; say beside seeds or reseed why so many, or why these")
        if several and not wants_seed(self.parameters):
            raise _wrong(several, 'other seeds change nothing: no "$seed" stands in its parameters')
        if "initial_states" in given and self.build != "x-random":
            raise _wrong("initial_states", "initial_states belongs to build x-random")
        if "simulators" in given and self.build == "x-random":
            raise _wrong("simulators", "build x-random compares both simulators; leave simulators out")
        if self.build == "mutants" and self.simulators != ["verilator"]:
            raise _wrong("build", 'build mutants is for Verilator alone; add simulators = ["verilator"]')
        for key, values in (("seeds", self.seeds), ("simulators", self.simulators)):
            if len(set(values)) < len(values):
                raise _wrong(key, f"{key} names one twice")
        return self


class IncludedJobs(ListDocument):
    """A file of ready-made jobs, such as the standing list of closure."""

    file: FileName
    """Beside the list: `[[job]]` with name, simulator, test and parameters."""
    timeout: Timeout
    build: str = "optimized"
    tags: list[str] = []


class TestList(ListDocument):
    """A whole list."""

    __test__ = False
    """Not a test class, whatever its name."""

    description: str
    failed_seeds: bool = False
    """Does it run everything again that has ever failed?"""
    include: list[FileName] = []
    """Files of other lists, beside this one, whose tests it runs too."""
    test: list[ListedTest] = []
    jobs: list[IncludedJobs] = []


class ReadyJob(ListDocument):
    """A job with fixed parameters."""

    name: Name
    simulator: str
    test: str
    parameters: dict[str, JsonValue]


class ReadyJobs(ListDocument):
    """A file of such jobs, which a list may include."""

    job: list[ReadyJob] = Field(min_length=1)


def _wrong(key: str, message: str) -> PydanticCustomError:
    """Return an error that tells its key beside its message."""
    return PydanticCustomError("inconsistent", "{message}", {"key": key, "message": message})
