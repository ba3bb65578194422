"""A night's own directory: what it is to run, and what has run so far."""

from __future__ import annotations

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, FailFast, TypeAdapter, with_config

from refmodel.errors import Ga2Error
from regressions.nightly.attempt import ATTEMPTS, PARTS, RESULTS
from regressions.nightly.job import STRICT, NightJob
from regressions.nightly.known import unknown_in
from regressions.nightly.result import JobResult, damage_of, read_result
from regressions.nightly.seeds import Seed
from regressions.nightly.selection import SameNameError, require_names
from sequences.document import DocumentError, Limits, read_model
from sequences.whole_file import require_no_links, write_bytes
from verif.failure.provenance import clean_commit, git_commit
from verif.simulation.sim_make import OUT, rtl_settings
from verif.sources import changed_sources, named_digests, named_files, source_digests

NIGHTS = OUT / "nightly"
"""Where nights have their directories."""

PLAN = "night.json"

LIMITS = Limits(size=128_000_000, values=3_000_000, members=3_000_000)
"""Of a plan and of a summary: 100,000 jobs, which is the most, have some twenty members each."""


class NightError(Ga2Error):
    """A night cannot be begun, or gone on with."""


def _checked_time(began: str) -> str:
    time = datetime.fromisoformat(began)
    if time.tzinfo is None or not 2000 <= time.year < 9000:
        raise ValueError("it is no time of a night, with its zone")
    return began


@with_config(STRICT)
@dataclass(frozen=True)
class NightPlan:
    """What a night is to do, decided before it begins."""

    list: str
    """As the user named it."""
    base_seed: Seed
    began: Annotated[str, AfterValidator(_checked_time)]
    """When, in local time with its zone, ISO 8601."""
    commit: str
    chip: Mapping[str, str]
    """The variables of sim.mk that choose the RTL."""
    sources: Mapping[str, str]
    """Digests of what decides what is sent and expected, by path."""
    jobs: Annotated[tuple[NightJob, ...], FailFast()]
    filtered: bool = False
    """Did the user ask for some of the list's jobs only?"""
    failed_seeds: str = ""
    """The file of jobs that failed before, if the user gave one."""
    part: str = ""
    """How the user chose some of the list's jobs, as `tag standing`."""
    listed: int = 0
    """How many jobs the whole list has; 0: not recorded."""
    format: Literal["ga2-night/1"] = "ga2-night/1"


_DOCUMENT = TypeAdapter(NightPlan)


@dataclass(frozen=True)
class Night:
    """A night with its directory."""

    directory: Path
    plan: NightPlan

    def results(self) -> Iterator[tuple[NightJob, JobResult | None]]:
        """Yield every job with its result, None if there is none; one at a time, for there may be many."""
        for job in self.plan.jobs:
            yield job, self.result(job)

    def result(self, job: NightJob) -> JobResult | None:
        """Return a job's result."""
        return read_result(self.directory / RESULTS, job)

    def damage(self, job: NightJob) -> str:
        """Return why what stands in the place of a job's result is none; nothing if all is well."""
        return damage_of(self.directory / RESULTS, job)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from running the same night meanwhile. Raises NightError if one does."""
        with (self.directory / PLAN).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise NightError(f"{self.directory} is running already; wait for it") from error
            yield


def plan_now(
    list_name: str,
    base_seed: int,
    jobs: tuple[NightJob, ...],
    part: str = "",
    listed: int = 0,
    failed_seeds: str = "",
) -> NightPlan:
    """Return the plan of a night that begins now, with the RTL of the environment."""
    began = datetime.now().astimezone().isoformat(timespec="seconds")
    named = (path for job in jobs for path in named_files(job.parameters))
    sources = source_digests() | named_digests(named)
    commit, filtered = git_commit(), bool(part)
    return NightPlan(
        list_name,
        base_seed,
        began,
        commit,
        rtl_settings(),
        sources,
        jobs,
        filtered,
        failed_seeds,
        part,
        listed,
    )


def begin_night(plan: NightPlan, nights: Path = NIGHTS) -> Night:
    """Make a directory that no other night has. Raises NightError when it cannot be written."""
    stem = f"{Path(plan.list).stem}-{plan.began[:19].replace(':', '').replace('-', '')}"
    try:
        nights.mkdir(parents=True, exist_ok=True)
        directory = Path(tempfile.mkdtemp(prefix=f"{stem}-", dir=nights))
        directory.chmod(0o755)
        for name in (RESULTS, ATTEMPTS, *PARTS):
            (directory / name).mkdir()
    except OSError as error:
        raise NightError(f"{nights}: no night can be begun there: {error.strerror}") from error
    try:
        write_bytes(directory / PLAN, _DOCUMENT.dump_json(plan, indent=1) + b"\n", durable=True)
    except Ga2Error:  # without its plan it is none
        shutil.rmtree(directory, ignore_errors=True)
        raise
    return Night(directory, plan)


def open_night(directory: Path) -> Night:
    """Return a night that was begun before. Raises NightError, for whatever was done to its plan too."""
    path = directory / PLAN
    try:
        require_no_links(directory)
    except Ga2Error as error:
        raise NightError(str(error)) from error
    try:
        plan = read_model(path, _DOCUMENT, LIMITS)
        require_names(plan.jobs)
    except DocumentError as error:
        if error.is_missing:
            raise NightError(f"{error}; name the directory of a night") from error
        raise _damaged(path, error.problem) from error
    except SameNameError as error:
        raise _damaged(path, str(error).partition(";")[0]) from error
    for job in plan.jobs:
        if unknown := unknown_in(job):
            raise _damaged(path, unknown)
    return Night(directory, plan)


def _damaged(path: Path, problem: str) -> NightError:
    return NightError(f"{path} is damaged: {problem}; begin another night")


def last_night(list_name: str, nights: Path = NIGHTS) -> Path:
    """Return the directory of the last night of a list. Raises NightError if there is none."""
    return nights_of(list_name, nights)[0]


def nights_of(list_name: str, nights: Path = NIGHTS) -> list[Path]:
    """Return the directories of the nights of a list, the last first. Raises NightError if there is none."""
    stem = Path(list_name).stem
    began = re.compile(rf"{re.escape(stem)}-\d{{8}}T\d{{6}}-[^/]*")  # list `nightly-x` has others
    found = [path.parent for path in nights.glob(f"*/{PLAN}") if began.fullmatch(path.parent.name)]
    if not found:
        raise NightError(f"{nights}: there is no night of list {stem} yet")
    return sorted(found, key=lambda directory: (directory / PLAN).stat().st_mtime, reverse=True)


def require_same_chip(night: Night) -> None:
    """Refuse to go on with a night on other sources than it began with. Raises NightError."""
    now = plan_now(night.plan.list, night.plan.base_seed, night.plan.jobs)
    for what, before, after in (
        ("commit", clean_commit(night.plan.commit), clean_commit(now.commit)),
        ("RTL", dict(night.plan.chip) or "the project's", dict(now.chip) or "the project's"),
    ):
        if before != after:
            raise NightError(
                f"{night.directory} began with {what} {before}, but now it is {after}: results of both would "
                "be mixed; begin another night"
            )
    changed = changed_sources(night.plan.sources, now.sources)  # what is in no commit yet, too
    if changed:
        raise NightError(
            f"{night.directory} began with other sources; changed since: {changed}. Results of both would be "
            "mixed; restore them, or begin another night"
        )
