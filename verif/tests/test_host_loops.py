"""Host loops of every k on both simulators, with drafts from perfect to contrary, to either kind of end."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from refmodel.language.draft import DraftKind
from refmodel.language.programs import ScaleMode
from refmodel.language.target import MAX_CONTEXT
from sequences.decode_request import DecodeRequest
from verif.loop_outcome import LoopOutcome
from verif.tests.conftest import Simulate

LARGEST_K = 7
SOME_KS = (1, 2)
"""On Icarus these are enough in `make test`; the others are ten times as dear there as in Verilator."""

ks_in_two_parts = pytest.mark.parametrize(
    "ks",
    [
        pytest.param(SOME_KS, id="some"),
        pytest.param((0, 3, 4, 5, 6, LARGEST_K), id="others", marks=pytest.mark.slow("icarus")),
    ],
)

PROMPTS = ((6,), (3, 8, 1), (0, 15, 15, 0, 7))


def perfect_loop(k: int) -> DecodeRequest:
    """Return a run of two blocks: for an even k both are wanted whole, for an odd one all but a token."""
    wanted = 2 * (k + 1) - k % 2
    return DecodeRequest(k=k, tokens=wanted, prompt=PROMPTS[k % len(PROMPTS)], scales="model")


@ks_in_two_parts
def test_a_perfect_draft_ends_at_a_block_or_within_one(simulate: Simulate, ks: tuple[int, ...]) -> None:
    requests = [perfect_loop(k) for k in ks]
    for request, _, speculative in decoded(simulate, requests):
        assert speculative.blocks == 2
        assert speculative.accepted == speculative.proposed == 2 * request.k
        assert speculative.accepted + speculative.blocks - request.tokens == request.k % 2


@ks_in_two_parts
def test_a_contrary_draft_is_never_believed(simulate: Simulate, ks: tuple[int, ...]) -> None:
    requests = [
        DecodeRequest(k=k, tokens=2, draft="contrary", prompt=PROMPTS[(k + 1) % len(PROMPTS)], scales="model")
        for k in ks
    ]
    for request, _, speculative in decoded(simulate, requests):
        assert (speculative.accepted, speculative.blocks) == (0, request.tokens)


def test_a_stop_token_ends_both_decodings_at_the_same_place(simulate: Simulate) -> None:
    whole = DecodeRequest(k=3, tokens=10, scales="model")
    [(_, reference, _)] = decoded(simulate, [whole])
    stops = [reference.tokens[place] for place in (0, 1, 6)]
    found = _outcomes(simulate, [replace(whole, stop_tokens=(stop,)) for stop in stops])
    for stop, (_, (plain, speculative)) in zip(stops, found, strict=True):
        wanted = reference.tokens[: reference.tokens.index(stop) + 1]
        assert plain.tokens == speculative.tokens == wanted


@ks_in_two_parts
def test_other_drafts_and_targets(simulate: Simulate, seed: int, ks: tuple[int, ...]) -> None:
    kinds: tuple[DraftKind, ...] = ("bigram", "contrary", "constant")
    requests = [
        DecodeRequest(
            target=("random", "sharp")[k % 2],
            target_seed=seed + k,
            k=k,
            draft=kinds[k % 3],
            noise=(0.0, 3.0, 12.0)[k % 3],
            draft_seed=seed,
            tokens=4,
            prompt=PROMPTS[k % len(PROMPTS)],
            scales="shape" if k in (2, 5) else "model",
        )
        for k in ks
    ]
    assert len(decoded(simulate, requests)) == len(requests)


@pytest.mark.slow
@pytest.mark.parametrize("scales", ["shape", "model"])
@pytest.mark.parametrize("target", ["structured", "random", "sharp"])
def test_every_draft_and_k(simulate: Simulate, seed: int, target: str, scales: ScaleMode) -> None:
    drafts: tuple[tuple[DraftKind, float], ...] = (
        ("bigram", 0.0), ("bigram", 3.0), ("bigram", 12.0), ("contrary", 0.0), ("constant", 0.0),
    )  # fmt: skip
    requests = [
        DecodeRequest(target, seed, k, draft, noise, seed, tokens, prompt, scales)
        for k in range(LARGEST_K + 1)
        for number, (draft, noise) in enumerate(drafts)
        for tokens, prompt in ((2 * (k + 1), PROMPTS[0]), (10, PROMPTS[1 + (k + number) % 2]))
    ]
    assert len(decoded(simulate, requests, timeout=1800.0)) == len(requests)


@pytest.mark.slow
def test_runs_that_fill_the_context(simulate: Simulate) -> None:
    requests = [
        DecodeRequest(k=7, tokens=54, prompt=PROMPTS[1], scales="model"),
        DecodeRequest(k=3, tokens=60, prompt=PROMPTS[0], draft="contrary", scales="model"),
        DecodeRequest(k=0, tokens=59, prompt=PROMPTS[2], scales="model"),
    ]
    assert all(len(each.prompt) + each.tokens + each.k == MAX_CONTEXT for each in requests)
    assert len(decoded(simulate, requests, timeout=1200.0)) == len(requests)


def decoded(
    simulate: Simulate, requests: list[DecodeRequest], timeout: float = 300.0
) -> list[tuple[DecodeRequest, LoopOutcome, LoopOutcome]]:
    """Decode plainly and speculatively, check what holds for every decoding, and return both outcomes."""
    results = []
    for request, (plain, speculative) in _outcomes(simulate, requests, timeout):
        fed = len(request.prompt) - 1
        assert len(plain.tokens) == len(speculative.tokens) == request.tokens
        assert plain.tokens == speculative.tokens or request.scales == "shape"
        assert speculative.proposed == request.k * speculative.blocks
        emitted = speculative.accepted + speculative.blocks
        assert request.tokens <= emitted <= request.tokens + request.k
        assert plain.programs == fed + request.tokens
        assert speculative.programs == fed + speculative.blocks * (request.k + 1)
        assert _shapes(speculative) == _expected_shapes(request, speculative)
        results.append((request, plain, speculative))
    return results


def _outcomes(
    simulate: Simulate, requests: list[DecodeRequest], timeout: float = 300.0
) -> list[tuple[DecodeRequest, tuple[LoopOutcome, LoopOutcome]]]:
    """Decode plainly and speculatively; the bench has compared their tokens."""
    decodings: list[dict[str, Any]] = [{"request": asdict(each), "speculative": True} for each in requests]
    report = simulate("decode.DecodeTest", timeout=timeout, decodings=decodings)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    return [
        (request, (LoopOutcome.from_json(outcomes["plain"]), LoopOutcome.from_json(outcomes["speculative"])))
        for request, outcomes in zip(requests, report.payload["decodings"], strict=True)
    ]


def _shapes(outcome: LoopOutcome) -> list[tuple[str, int]]:
    return [(record.kind, record.rows) for record in outcome.records]


def _expected_shapes(request: DecodeRequest, outcome: LoopOutcome) -> list[tuple[str, int]]:
    block = [("draft", 1)] * request.k + [("verifier", request.k + 1)]
    return [("plain", 1)] * (len(request.prompt) - 1) + block * outcome.blocks
