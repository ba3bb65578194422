"""What a job came to: a file that is complete or not there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter, with_config

from refmodel.errors import Ga2Error
from regressions.nightly.job import STRICT, NightJob
from sequences.document import DocumentError, read_model
from sequences.whole_file import plain_json, write_bytes


class Status(StrEnum):
    """How a job ended; the value names it for people."""

    PASSED = "passed"
    FAILED = "failed"
    """Something differs, the chip hangs, or nothing was compared."""
    TIMEOUT = "timeout"
    """Its simulation took more CPU time than it may."""
    CRASHED = "crashed"
    """Its simulation broke off by itself, or the bench could not run it."""
    FLAKY = "flaky"
    """It failed, crashed or took too long, and passed when it was run again."""
    KILLED = "killed"
    """Its simulation or, each time, its worker was killed, or it had too little of the machine."""
    SKIPPED = "skipped"
    """The list says why it does not run."""


RERUN_STATUSES = (Status.FAILED, Status.TIMEOUT, Status.CRASHED)
"""Of jobs that are run again, some of them: they may pass then."""


@with_config(STRICT)
@dataclass(frozen=True)
class Failure:
    """The first divergence of a failed job, as far as it was found."""

    folder: str
    """What it left (docs/failures.md)."""
    explanation: str
    """The first divergence in a sentence."""
    kind: str | None
    """The following four as in the folder's report.json; None where nothing diverges."""
    unit: str | None
    opcode: str | None
    role: str | None
    """The kind of node that the instruction serves; of a program without a graph its operand."""
    shrunk: str = ""
    """What it shrank to, in a sentence, once that has been tried."""


@with_config(STRICT)
@dataclass(frozen=True)
class Cost:
    """What a job took."""

    seconds: float = 0.0
    """Wall clock."""
    simulation_cpu: float = 0.0
    """Seconds of its simulations, `make` around them included."""
    bench_cpu: float = 0.0
    """Seconds of the worker itself, which explains failures."""
    machine: str = ""
    """Where that was, as `this_machine` tells it."""
    memory: int = 0
    """The most that worker and simulations had at once, in bytes; 0 if it is not known."""


@with_config(STRICT)
@dataclass(frozen=True)
class JobResult:
    """How a job ended."""

    job: NightJob
    status: Status
    reason: str = ""
    """Why it has not passed, or not at first, in a sentence."""
    programs: int = 0
    comparisons: int = 0
    cycles: int = field(default=0, kw_only=True)
    """Of all programs, by the chip's own counters."""
    mismatches: tuple[str, ...] = ()
    """The first of them."""
    found: str = ""
    """A digest of everything that was compared and differs: runs with the same one gave the same values."""
    build: str = ""
    """Hash of what the simulation was built from."""
    failure: Failure | None = None
    cost: Cost = field(default_factory=Cost)
    attempt: int = 1
    """The number of the attempt that brought it; reruns that only tell whether it is flaky change nothing."""
    reruns: int = 0
    """How often it was run again because it had not passed; none of these is its result."""
    flaky_status: Status | None = None
    """Of a flaky job: how it had ended before it passed."""
    passed_in: int = 0
    """Of a flaky job: the attempt that passed."""
    is_bench_error: bool = field(default=False, kw_only=True)
    """Is it the bench, its input or its tools that failed, not the chip?"""

    @property
    def says_something(self) -> bool:
        """Is it worth keeping when the night is resumed?"""
        return self.status is not Status.KILLED

    @property
    def diverges(self) -> bool:
        """Is its first divergence known?"""
        return self.failure is not None and self.failure.kind is not None

    @property
    def was_not_run_again(self) -> bool:
        """Has it not passed, and has nobody tried whether it would?"""
        return self.status in RERUN_STATUSES and not self.reruns

    @property
    def told(self) -> str:
        """Why it has not passed, and whether it was tried again, in a sentence; empty if it has."""
        if self.flaky_status is not None:
            return f"{self.flaky_status} ({self.reason}), but it passed in attempt {self.passed_in}"
        return f"{self.reason}; not run again" if self.was_not_run_again else self.reason


_DOCUMENT = TypeAdapter(JobResult)


def write_result(directory: Path, result: JobResult) -> None:
    """Write a result so that it survives whatever happens next. Raises Ga2Error when it cannot be written."""
    content = plain_json(_DOCUMENT.dump_json(result, indent=1)) + b"\n"
    write_bytes(_path(directory, result.job), content, durable=True)


def forget_result(directory: Path, job: NightJob) -> None:
    """Remove the result of a job, if there is one. Raises Ga2Error when that cannot be done."""
    path = _path(directory, job)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Ga2Error(f"{path}: {error.strerror}") from error


def read_result(directory: Path, job: NightJob) -> JobResult | None:
    """Return the result of a job; None if there is none, or what is there is damaged or of another job."""
    path = _path(directory, job)
    try:
        result = read_model(path, _DOCUMENT)
    except DocumentError:
        return None
    return result if result.job == job else None


def damage_of(directory: Path, job: NightJob) -> str:
    """Return why what stands in the place of a result is none, in a sentence; nothing if all is well."""
    path = _path(directory, job)
    try:
        result = read_model(path, _DOCUMENT)
    except DocumentError as error:
        return "" if error.is_missing else f"{path} is damaged: {error.problem}"
    return "" if result.job == job else f"{path} is of another job of that name"


def _path(directory: Path, job: NightJob) -> Path:
    return directory / f"{job.name}.json"
