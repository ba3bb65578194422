"""What a job that has run leaves, besides its coverage: one small JSON file, the last that it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from regressions.closing.job import Job
from sequences.document import DocumentError, read_model
from sequences.whole_file import write_json


class FinishedJob(BaseModel):
    """That a job has run, and what it took."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    simulator: str
    test: str
    parameters: dict[str, Any]
    cycles: int
    """Of all its programs."""
    seconds: float
    """Of wall clock that it took by itself; shown, and decides nothing."""
    ended: float
    """Seconds that the campaign had been at work by its end, interruptions left out."""

    @classmethod
    def of(cls, job: Job, cycles: int, seconds: float, ended: float) -> FinishedJob:
        """Return the record of a job."""
        return cls(
            simulator=job.simulator,
            test=job.test,
            parameters=dict(job.parameters),
            cycles=cycles,
            seconds=round(seconds, 1),
            ended=round(ended, 1),
        )

    @classmethod
    def read(cls, path: Path) -> FinishedJob | None:
        """Return what is there; None where there is nothing, or half a file: the job runs again then."""
        try:
            return read_model(path, cls)
        except DocumentError:
            return None

    def write(self, path: Path) -> None:
        """Write it in one step."""
        write_json(path, self.model_dump())

    def is_of(self, job: Job) -> bool:
        """Was it this very job?"""
        asked = FinishedJob.of(job, 0, 0, 0).model_dump_json(include={"simulator", "test", "parameters"})
        return asked == self.model_dump_json(include={"simulator", "test", "parameters"})
