"""The buckets of a night, with what the history says of each and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from regressions.history.failures import RecordedFailure, State
from regressions.history.recording import INITIAL_STATE
from regressions.nightly.buckets import Signature
from regressions.report.remembered import Remembered
from regressions.report.summary import ReportedBucket, ReportedNight
from verif.simulation.plain_path import REPOSITORY
from verif.waves.leaving import PICTURE

FAILURES = "failures"
"""Below a night's directory: the folders of its failures."""


@dataclass(frozen=True)
class ReportedFailure:
    """A bucket as the page shows it."""

    number: int
    """From 1, the fullest first."""
    bucket: ReportedBucket
    recorded: RecordedFailure | None
    """What the history has of it; None where it does not know this night."""
    picture: Path | None
    """The file with the waves round its first divergence."""

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return f"failure-{self.number}"

    @property
    def signature(self) -> Signature:
        """What its failures have in common."""
        return Signature(self.bucket.kind, self.bucket.unit, self.bucket.opcode, self.bucket.role)

    @property
    def state(self) -> State | None:
        """New, known or flaky; None where nobody knows."""
        return None if self.recorded is None else self.recorded.state

    @property
    def is_first_choice(self) -> bool:
        """Does it show the chip doing something wrong, rather than that somebody killed a job, say?"""
        return self.bucket.folder is not None


def failures_of_night(night: ReportedNight, remembered: Remembered) -> list[ReportedFailure]:
    """Return the buckets, in the summary's order."""
    recorded = {each.signature: each for each in remembered.failures if each.state in _HERE}
    return [
        ReportedFailure(
            number,
            bucket,
            recorded.get(Signature(bucket.kind, bucket.unit, bucket.opcode, bucket.role)),
            _picture(night, bucket),
        )
        for number, bucket in enumerate(night.summary.buckets, 1)
    ]


def dependences_of_night(remembered: Remembered) -> dict[str, RecordedFailure]:
    """Return what the history has of stimuli that depend on their initial state, by stimulus."""
    return {
        each.signature.role: each
        for each in remembered.failures
        if each.signature.kind == INITIAL_STATE and each.state in _HERE
    }


def gone(remembered: Remembered) -> Sequence[RecordedFailure]:
    """Return what the night before had and this one has not."""
    return [each for each in remembered.failures if each.state not in _HERE]


_HERE = (State.NEW, State.KNOWN, State.FLAKY)


def _picture(night: ReportedNight, bucket: ReportedBucket) -> Path | None:
    """Return a bucket's picture, wherever the night has been moved to since."""
    if bucket.folder is None:
        return None
    places = [night.directory / FAILURES / Path(bucket.folder).name, REPOSITORY / bucket.folder]
    return next((place / PICTURE for place in places if (place / PICTURE).is_file()), None)
