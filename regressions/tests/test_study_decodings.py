"""The decodings of a study on the RTL, with simulations that are made up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from refmodel.machine.result import Counters
from regressions.study.decodings import run_decodings
from regressions.tests.conftest import CommandLine
from sequences.decode_request import DecodeRequest
from verif.loop_outcome import LoopOutcome
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect, Mismatch


class MadeUp:
    """Simulations that decode token `k` in every decoding; those under `wrong` scales find a mismatch."""

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong
        self.groups: list[set[tuple[Any, ...]]] = []
        self.directories: list[Path] = []

    def run_test(
        self, simulator: str, test: str, parameters: Mapping[str, Any], directory: Path
    ) -> RunReport:
        assert (simulator, test) == ("icarus", "decode.DecodeTest")
        requests = [each["request"] for each in parameters["decodings"]]
        assert all(each["speculative"] for each in parameters["decodings"])
        self.groups.append({(each["target_seed"], each["scales"]) for each in requests})
        self.directories.append(directory)
        directory.mkdir(parents=True)
        decodings = [{"plain": _loop(0), "speculative": _loop(each["k"])} for each in requests]
        report = RunReport(test, 1, 10, payload={"decodings": decodings})
        if requests[0]["scales"] == self.wrong:
            report.mismatches.append(Mismatch("a program", Aspect.TOKENS, "all", "(1,)", "(0,)"))
        return report


def _loop(token: int) -> dict[str, Any]:
    return LoopOutcome((token,), 0, 1, 1, 1, Counters(), (), 1, (), 0.0).to_json()


@pytest.fixture
def simulations(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MadeUp:
    made_up = MadeUp()
    monkeypatch.setattr("regressions.study.decodings.run_test", made_up.run_test)
    for module in ("regressions.study.decodings", "regressions.commands.study"):
        monkeypatch.setattr(f"{module}.own_directory", lambda _: tmp_path / "own")
    return made_up


def test_requests_that_share_a_target_share_a_simulation(simulations: MadeUp) -> None:
    base = DecodeRequest(target="random", tokens=2)
    requests = [
        replace(base, k=k, target_seed=seed, scales=scales)
        for k in (1, 2)
        for seed in (1, 2)
        for scales in ("shape", "model")
    ]
    done: list[int] = []
    found = run_decodings(requests, "icarus", done.append)
    assert simulations.groups == [{(1, "shape")}, {(1, "model")}, {(2, "shape")}, {(2, "model")}]
    assert [each.request for each in found.decodings] == requests
    assert [each.speculative.tokens for each in found.decodings] == [(each.k,) for each in requests]
    assert done == [2, 2, 2, 2]
    assert found.comparisons == 40
    assert not simulations.directories[0].parent.exists()


def test_wrong_rtl_is_told_and_not_studied(simulations: MadeUp, command_line: CommandLine) -> None:
    simulations.wrong = "model"
    outcome = command_line("study", "sweep", "--sim", "icarus", "--tokens", 2)
    assert outcome.status == 1
    assert not outcome.output
    mismatch, error = outcome.error.splitlines()
    assert mismatch.startswith("mismatch: a program: ")
    assert error.startswith("error: icarus: no figures of RTL that is wrong")
    assert str(simulations.directories[0].parent) in error
    assert all(directory.is_dir() for directory in simulations.directories)
