"""The float host loop: whatever the draft, its output is the target's greedy one and its counts add up."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from refmodel.language.draft import Guesser, bigram_draft
from refmodel.language.float_host_loop import float_host_loop
from refmodel.language.rollout import greedy_rollout
from refmodel.language.target import TargetModel, random_target, sharp, structured

TOKENS = 16
TARGETS = {"structured": structured(), "random": random_target(1), "sharp": sharp(2)}


@dataclass
class RandomGuesser:
    """Guesses anything."""

    source: random.Random = field(default_factory=lambda: random.Random(3))

    def guess(self, token: int) -> int:
        return (token + self.source.randrange(16)) % 16


class ConstantGuesser:
    """Always guesses the same."""

    def guess(self, _token: int, /) -> int:
        return 7


def drafts(target: TargetModel) -> dict[str, Guesser]:
    made: dict[str, Guesser] = {f"noise {noise}": bigram_draft(target, noise) for noise in (0, 3, 100)}
    return made | {"random": RandomGuesser(), "constant": ConstantGuesser()}


@pytest.mark.parametrize("k", [1, 2, 3, 5])
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("kind", ["noise 0", "noise 3", "noise 100", "random", "constant"])
def test_the_output_is_the_targets_greedy_output_and_the_invariants_hold(
    name: str, kind: str, k: int
) -> None:
    target = TARGETS[name]
    loop = float_host_loop(target, drafts(target)[kind], k, TOKENS)
    greedy = greedy_rollout(target, TOKENS).tokens
    for start, run in enumerate(loop.runs):
        assert list(run.tokens) == greedy[start, 1:].tolist()
        emitted = [token for block in run.history for token in block.emitted]
        assert len(emitted) == run.accepted + run.blocks
        assert tuple(emitted[:TOKENS]) == run.tokens
        assert run.proposed == k * run.blocks
    cached = iter(loop.blocks)
    for run in loop.runs:
        emitted_before = 0
        for block in run.history:
            seen = next(cached)
            assert len(seen.keys) == len(seen.values) == emitted_before == block.position - 1
            assert len(seen.x) == k + 1
            emitted_before += len(block.emitted)


def test_the_published_float_draft_decides_the_third_block() -> None:
    target = random_target(1)
    history = float_host_loop(target, bigram_draft(target), 3, 32, starts=[0]).runs[0].history
    assert [(block.last, block.proposed, block.accepted) for block in history[:3]] == [
        (0, (5, 3, 13), 3),
        (9, (10, 9, 10), 0),
        (1, (11, 11, 11), 3),
    ]


def test_the_tokens_drafted_on_are_recorded() -> None:
    target = structured()
    loop = float_host_loop(target, ConstantGuesser(), 2, 3, starts=[0])
    # Blocks [0 | 7 7], [3 | 7 7], [2 | 7 7]: the second guess of each is drafted on the first.
    assert loop.drafted == {0, 3, 2, 7}
