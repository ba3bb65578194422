"""A night's summary.json, as far as the history wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    model_validator,
)

from regressions.history.database import HistoryError
from regressions.nightly.night import LIMITS, PLAN
from regressions.nightly.report import FORMAT, SUMMARY
from regressions.nightly.verdict import Verdict
from sequences.document import DocumentError, read_model
from verif.shell_line import command_line, same_here

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""What SQLite keeps as an integer."""


Command = Annotated[str, AfterValidator(same_here)]
"""A command of this project, as it is called in this checkout."""


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True, allow_inf_nan=False)


class JobDocument(_Document):
    """One job; the fields below `status` are there if it has one."""

    name: str
    entry: str
    fingerprint: str
    test: str
    simulator: str
    build: str
    seed: Count
    tags: tuple[str, ...]
    status: str | None
    reason: str = ""
    programs: Count = 0
    comparisons: Count = 0
    cycles: Count = 0
    seconds: float = 0.0
    simulation_cpu: float = 0.0
    machine: str = ""


class BucketDocument(_Document):
    """Failures with one signature."""

    kind: str
    unit: str
    opcode: str
    role: str
    seed: Count
    job: str
    jobs: tuple[str, ...]
    explanation: str
    shrunk: str
    reproduce: Command


class DependenceDocument(_Document):
    """A stimulus that depends on its initial state."""

    stimulus: str
    jobs: tuple[str, ...] = Field(min_length=1)
    sentence: str
    reproduce: Command


class InitialStatesDocument(_Document):
    """What came of comparing initial states."""

    dependent: tuple[DependenceDocument, ...]


class CoverageDocument(_Document):
    """Bins; none where no job passed."""

    hit: Count | None = None
    bins: Count | None = None


class CostDocument(_Document):
    """What the night took."""

    seconds: float


class NightDocument(_Document):
    """A whole night."""

    format: Literal["ga2-night-summary/1"]
    night: str
    """The name of its directory, which no other night has."""
    list: str
    base_seed: Count
    filtered: bool
    part: str = ""
    listed: Count = 0
    began: AwareDatetime
    commit: str
    chip: dict[str, str]
    tools: dict[str, str]
    good: bool
    problems: tuple[str, ...]
    missing: tuple[str, ...]
    drifts: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    programs: Count
    comparisons: Count
    buckets: Annotated[tuple[BucketDocument, ...], FailFast()]
    initial_states: InitialStatesDocument
    coverage: CoverageDocument
    cost: CostDocument
    jobs: Annotated[tuple[JobDocument, ...], FailFast()]

    @property
    def verdict(self) -> Verdict:
        """Its verdict for people."""
        part = self.part or ("a part of the list" if self.filtered else "")
        return Verdict(self.good, len(self.jobs), self.listed, part)

    @model_validator(mode="after")
    def _consistent(self) -> NightDocument:
        names = {job.name for job in self.jobs}
        if len(names) < len(self.jobs):
            raise ValueError("two jobs have one name")
        if not 2000 <= self.began.year < 9000:
            raise ValueError(f"it began in the year {self.began.year}")
        signatures = {(each.kind, each.unit, each.opcode, each.role) for each in self.buckets}
        if len(signatures) < len(self.buckets):
            raise ValueError("two buckets have one signature")
        failed = {name for bucket in self.buckets for name in bucket.jobs}
        failed.update(name for each in self.initial_states.dependent for name in each.jobs)
        if not failed <= names:
            raise ValueError(f"{min(failed - names)} failed, but is none of its jobs")
        return self


Document = TypeVar("Document", bound=NightDocument)


def read_night(place: Path, kind: type[Document]) -> Document:
    """Return the summary of a night, given by its directory or as the file, as far as `kind` wants it.

    Raises HistoryError.
    """
    path = place / SUMMARY if place.is_dir() else place
    try:
        return read_model(path, kind, LIMITS)
    except DocumentError as error:
        if (place / PLAN).is_file() and error.is_missing:
            raise HistoryError(
                f"{place}: this night has not ended; go on with it: "
                f"{command_line('nightly', '--resume', place)}"
            ) from error
        if error.is_missing:
            raise HistoryError(f"{error}; name a night's directory, or its {SUMMARY}") from error
        problem = f"is not a whole summary of format {FORMAT}: {error.problem}"
        raise HistoryError(f"{path}: {problem}") from error
