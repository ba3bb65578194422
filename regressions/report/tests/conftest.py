"""Reports that wait for no model."""

from __future__ import annotations

from pathlib import Path

import pytest

from regressions.report.tests.made_site import made_workloads, recorded_night
from regressions.report.writing import write_report


@pytest.fixture
def _no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let reports show decodings that nobody ran."""
    monkeypatch.setattr("regressions.report.writing.workloads", made_workloads)


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """Return a night that failed, with one before it in `history.sqlite` of the same test."""
    return recorded_night(tmp_path)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory of that night's report, which no test may change."""
    directory = tmp_path_factory.mktemp("site")
    night = recorded_night(directory)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("regressions.report.writing.workloads", made_workloads)
        return write_report(night, directory / "history.sqlite").parent
