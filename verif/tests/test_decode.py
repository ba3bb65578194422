"""Decoding on the RTL: published figures, and tokens that do not depend on how they were decoded."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from refmodel.language.programs import ScaleMode
from refmodel.machine.machine import Machine
from refmodel.published import figures
from refmodel.speculative.model_runner import run_on_model
from sequences.decode_request import DecodeRequest
from verif.loop_outcome import LoopOutcome
from verif.run_report import RunReport
from verif.scoreboard.verdict import Aspect
from verif.tests.conftest import Simulate


def test_host_loop_on_the_rtl_is_the_one_on_the_model(simulate: Simulate) -> None:
    request = DecodeRequest(target="random", k=2, tokens=8, prompt=(3, 8, 1))
    report = simulate("decode.DecodeTest", decodings=[_decoding(request)])
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    plain, speculative = _outcomes(report, 0)
    for outcome, loop in ((plain, request.plain()), (speculative, request.speculative())):
        model = run_on_model(loop, Machine())
        assert outcome.tokens == model.run.tokens
        assert outcome.counters == model.counters
        assert outcome.programs == model.run.programs
    assert speculative.proposed == 2 * speculative.blocks


@pytest.mark.parametrize(
    "kind",
    [
        "sharp",
        pytest.param("structured", marks=pytest.mark.slow("icarus")),
        pytest.param("random", marks=pytest.mark.slow("icarus")),
    ],
)
def test_model_scales_make_tokens_independent_of_the_draft(simulate: Simulate, seed: int, kind: str) -> None:
    generator = np.random.default_rng([seed, len(kind)])
    requests = [
        DecodeRequest(
            target=kind,
            target_seed=int(generator.integers(1, 1000)),
            k=k,
            noise=float(generator.choice([0.0, 3.0, 8.0])),
            draft_seed=int(generator.integers(1, 1000)),
            tokens=6,
            prompt=(int(generator.integers(16)),),
            scales="model",
        )
        for k in (0, 1, 3, 5)
    ]
    report = simulate("decode.DecodeTest", decodings=[_decoding(request) for request in requests])
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    for number in range(len(requests)):
        plain, speculative = _outcomes(report, number)
        assert speculative.tokens == plain.tokens
        assert len(plain.tokens) == 6


def test_published_decoding_takes_its_published_cycles(simulate: Simulate) -> None:
    published = figures()
    entry = _entry(published, mode="speculative", target="structured", noise=0, k=3)
    report = simulate("decode.DecodeTest", decodings=[_decoding(DecodeRequest())])
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    plain, speculative = _outcomes(report, 0)
    assert plain.counters.cyc_total == _entry(published, mode="plain", target="structured")["cycles"]
    assert speculative.counters.cyc_total == entry["cycles"]
    assert (speculative.accepted, speculative.proposed) == (entry["accepted"], entry["proposed"])


@pytest.mark.parametrize("scales", ["model", "shape"])
def test_different_tokens_fail_under_model_scales_alone(simulate: Simulate, scales: ScaleMode) -> None:
    request = DecodeRequest(k=1, tokens=2, scales=scales)
    report = simulate("wrong_tokens.WrongTokensTest", decodings=[_decoding(request)])
    found = [(each.aspect, each.found) for each in report.mismatches]
    if scales == "model":
        assert found == [(Aspect.TOKENS, "(3,)")]
        assert not report.warnings
    else:
        assert report.passed
        (warning,) = report.warnings
        assert "found (3,)" in warning


def _decoding(request: DecodeRequest) -> dict[str, Any]:
    return {"request": asdict(request), "speculative": True}


def _outcomes(report: RunReport, number: int) -> tuple[LoopOutcome, LoopOutcome]:
    decoding = report.payload["decodings"][number]
    return LoopOutcome.from_json(decoding["plain"]), LoopOutcome.from_json(decoding["speculative"])


def _entry(published: Mapping[str, Any], **wanted: object) -> Mapping[str, Any]:
    matching: list[Mapping[str, Any]] = [run for run in published["runs"] if wanted.items() <= run.items()]
    assert len(matching) == 1, f"{len(matching)} published runs match {wanted}"
    return matching[0]
