"""Reports that wait for no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressions.history.recording import record_nights
from regressions.history.tests.made_up import made_job, made_night, write_night
from regressions.report.tests.made_site import failing_night, made_workloads
from regressions.report.writing import write_report


@pytest.fixture
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports show decodings that nobody ran."""
    monkeypatch.setattr("regressions.report.writing.workloads", made_workloads)


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """Return a night that failed, with one before it in `history.sqlite` of the same test."""
    return _recorded_night(tmp_path)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of that night's report, which no test may change."""
    directory = tmp_path_factory.mktemp("site")
    night = _recorded_night(directory)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("regressions.report.writing.workloads", made_workloads)
        return write_report(night, directory / "history.sqlite").parent


def _recorded_night(directory: Path) -> Path:
    before = made_night(
        "nightly-20270102T020000-made",
        2,
        [
            made_job("good-000-icarus"),
            made_job("bad-001-icarus", "failed", bucket=("data", "q")),
            made_job("gone-000-icarus", "failed", bucket=("hang", "")),
        ],
    )
    failing = failing_night(directory / "nights")
    record_nights(directory / "history.sqlite", [write_night(directory / "nights", before), failing])
    return failing
