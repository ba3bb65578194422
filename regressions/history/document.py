"""A night's summary.json, as far as the history wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from regressions.history.database import HistoryError
from regressions.nightly.night import PLAN
from regressions.nightly.report import FORMAT, SUMMARY
from regressions.nightly.verdict import Verdict

Count = Annotated[int, Field(ge=0, lt=2**63)]
"""What SQLite keeps as an integer."""


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
    reproduce: str


class DependenceDocument(_Document):
    """A stimulus that depends on its initial state."""

    stimulus: str
    jobs: tuple[str, ...] = Field(min_length=1)
    sentence: str
    reproduce: str


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
    buckets: tuple[BucketDocument, ...]
    initial_states: InitialStatesDocument
    coverage: CoverageDocument
    cost: CostDocument
    jobs: tuple[JobDocument, ...]

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
        return kind.model_validate_json(path.read_bytes())
    except OSError as error:
        if (place / PLAN).is_file():
            raise HistoryError(
                f"{place}: this night has not ended; `nightly --resume {place}` goes on with it"
            ) from error
        raise HistoryError(f"{path}: {error.strerror}; name a night's directory, or its {SUMMARY}") from error
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        told = problem["msg"].removeprefix("Value error, ")
        raise HistoryError(
            f"{path}: is no whole summary of format {FORMAT}: {where + ': ' if where else ''}{told}"
        ) from error
