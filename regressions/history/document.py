"""A night's summary.json, as far as the history wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from regressions.history.database import HistoryError
from regressions.nightly.report import FORMAT, SUMMARY


class _Document(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class JobDocument(_Document):
    """One job; the fields below `status` are there if it has one."""

    name: str
    entry: str
    fingerprint: str
    test: str
    simulator: str
    build: str
    seed: int
    tags: tuple[str, ...]
    status: str | None
    reason: str = ""
    programs: int = 0
    comparisons: int = 0
    cycles: int = 0
    seconds: float = 0.0
    simulation_cpu: float = 0.0
    machine: str = ""


class BucketDocument(_Document):
    """Failures with one signature."""

    kind: str
    unit: str
    opcode: str
    role: str
    seed: int
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

    hit: int | None = None
    bins: int | None = None


class CostDocument(_Document):
    """What the night took."""

    seconds: float


class NightDocument(_Document):
    """A whole night."""

    format: Literal["ga2-night-summary/1"]
    night: str
    """The name of its directory, which no other night has."""
    list: str
    base_seed: int
    filtered: bool
    began: AwareDatetime
    commit: str
    chip: dict[str, str]
    tools: dict[str, str]
    good: bool
    problems: tuple[str, ...]
    missing: tuple[str, ...]
    programs: int
    comparisons: int
    buckets: tuple[BucketDocument, ...]
    initial_states: InitialStatesDocument
    coverage: CoverageDocument
    cost: CostDocument
    jobs: tuple[JobDocument, ...]

    @model_validator(mode="after")
    def _consistent(self) -> NightDocument:
        names = {job.name for job in self.jobs}
        if len(names) < len(self.jobs):
            raise ValueError("two jobs have one name")
        failed = {name for bucket in self.buckets for name in bucket.jobs}
        failed.update(name for each in self.initial_states.dependent for name in each.jobs)
        if not failed <= names:
            raise ValueError(f"{min(failed - names)} failed, but is none of its jobs")
        return self


def read_night(place: Path) -> NightDocument:
    """Return the summary of a night, given by its directory or as the file. Raises HistoryError."""
    path = place / SUMMARY if place.is_dir() else place
    try:
        return NightDocument.model_validate_json(path.read_bytes())
    except OSError as error:
        raise HistoryError(f"{path}: {error.strerror}; name a night's directory, or its {SUMMARY}") from error
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        told = problem["msg"].removeprefix("Value error, ")
        raise HistoryError(
            f"{path}: is no whole summary of format {FORMAT}: {where + ': ' if where else ''}{told}"
        ) from error
