"""What is built before a night begins."""

from __future__ import annotations

import pytest
from rich.console import Console

from regressions.nightly import session
from regressions.nightly.job import NightJob
from regressions.nightly.tests.fakes import job


@pytest.mark.parametrize(
    ("jobs", "built"),
    [
        (
            [job("a-0", simulator="verilator", build="mutants"), job("b-0", simulator="verilator")],
            [("verilator", False), ("verilator", "mutants.f")],
        ),
        ([job("a-0", simulator="verilator", build="mutants", skip="own RTL")], []),
        ([job("a-0"), job("b-0")], [("icarus", False)]),
        ([job("a-0", simulator="verilator", skip="broken"), job("b-0")], [("icarus", False)]),
        ([job("a-0", skip="broken")], []),
        (
            [job("a-0", simulator="verilator", build="coverage"), job("b-0", build="coverage")],
            [("icarus", False), ("verilator", True)],
        ),
        (
            [
                job("a-0", simulator="verilator", build="coverage", skip="broken"),
                job("b-0", simulator="verilator", build="x-random"),
            ],
            [("verilator", False)],
        ),
    ],
)
def test_what_runs_is_built_once_and_nothing_else(
    jobs: list[NightJob], built: list[tuple[str, bool | str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, bool | str]] = []

    def build(simulator: str, rtl: str = "", mirrors: str = "", *, code_coverage: bool = False) -> None:
        assert bool(rtl) == bool(mirrors)
        calls.append((simulator, rtl or code_coverage))

    monkeypatch.setattr(session, "build", build)
    monkeypatch.setattr(session, "prepare_whole", lambda: "mutants.f")
    session.build_for(jobs, Console(quiet=True))
    assert calls == built
