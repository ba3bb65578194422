"""`SpeculativeDecoder` on small made-up models: greedy equality, stop tokens, callbacks, bad calls."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.block_loop import Block
from refmodel.speculative.decoder import DraftStep, SpeculativeDecoder
from refmodel.speculative.verification import greedy_rows

VOCABULARY = 7


def successor(prefix: Sequence[int]) -> int:
    """Return the target's greedy choice, which depends on the whole prefix."""
    return (sum((place + 1) * token for place, token in enumerate(prefix)) * 5 + 3) % VOCABULARY


def target_step(prefix: Sequence[int], proposed: Sequence[int]) -> FloatArray:
    known = [*prefix, *proposed]
    return greedy_rows([successor(known[: len(prefix) + i]) for i in range(len(proposed) + 1)], VOCABULARY)


def random_draft(seed: int, hit_rate: float) -> DraftStep:
    """Return a draft that guesses right with probability `hit_rate` at each place."""
    source = random.Random(seed)

    def draft_step(prefix: Sequence[int], k: int) -> tuple[list[int], None]:
        known = list(prefix)
        for _ in range(k):
            right = source.random() < hit_rate
            known.append(successor(known) if right else source.randrange(VOCABULARY))
        return known[len(prefix) :], None

    return draft_step


def plain(prompt: Sequence[int], tokens: int) -> list[int]:
    known = list(prompt)
    for _ in range(tokens):
        known.append(successor(known))
    return known[len(prompt) :]


@given(
    prompt=st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=4),
    tokens=st.integers(0, 20),
    k=st.integers(0, 5),
    hit_rate=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    seed=st.integers(0, 1000),
)
def test_greedy_output_equals_plain_greedy_decoding_for_every_draft(
    prompt: list[int], tokens: int, k: int, hit_rate: float, seed: int
) -> None:
    decoder = SpeculativeDecoder(random_draft(seed, hit_rate), target_step, k)
    run = decoder.decode(prompt, tokens)
    assert list(run.tokens) == plain(prompt, tokens)
    assert run.proposed == k * run.blocks
    overshoot = run.accepted + run.blocks - tokens
    assert 0 <= overshoot <= k if tokens else run.blocks == 0
    if hit_rate == 1.0:
        assert run.accepted == run.proposed
        assert run.blocks == -(-tokens // (k + 1))


def test_every_block_is_reported_as_it_was_committed() -> None:
    blocks: list[Block] = []
    decoder = SpeculativeDecoder(random_draft(3, 0.6), target_step, 3, on_block=blocks.append)
    run = decoder.decode([1, 2], 15)
    assert tuple(blocks) == run.history
    committed = [1, 2]
    for block in blocks:
        assert block.position == len(committed)
        assert block.last == committed[-1]
        assert len(block.proposed) == 3
        assert block.emitted == (*block.proposed[: block.accepted], block.next_token)
        committed.extend(block.emitted)
    assert committed[2:17] == plain([1, 2], 15)


@pytest.mark.parametrize("k", [0, 1, 3, 5])
def test_decoding_ends_with_the_first_stop_token_wherever_in_a_block_it_falls(k: int) -> None:
    whole = plain([4], 30)
    for stop in set(whole):
        wanted = whole[: whole.index(stop) + 1]
        decoder = SpeculativeDecoder(random_draft(1, 0.8), target_step, k, stop_tokens={stop})
        assert decoder.generate([4], 30) == wanted


@pytest.mark.parametrize(
    ("stop", "max_new", "accepted", "emitted"),
    [
        (11, 9, 1, (11,)),  # the first guess
        (13, 9, 3, (11, 12, 13)),  # the last guess
        (14, 9, 3, (11, 12, 13, 14)),  # the target's own token
        (14, 3, 3, (11, 12, 13, 14)),  # behind the last token wanted: the block overshoots, as without a stop
        (12, 1, 3, (11, 12, 13, 14)),
    ],
)
def test_guesses_behind_a_stop_token_are_not_accepted(
    stop: int, max_new: int, accepted: int, emitted: tuple[int, ...]
) -> None:
    """The target counts up from 10, and so do three guesses a block."""

    def draft_step(prefix: Sequence[int], k: int) -> tuple[list[int], None]:
        return [prefix[-1] + 1 + place for place in range(k)], None

    def counting_target(prefix: Sequence[int], proposed: Sequence[int]) -> FloatArray:
        return greedy_rows([token + 1 for token in (prefix[-1], *proposed)], 20)

    run = SpeculativeDecoder(draft_step, counting_target, 3, stop_tokens=[stop]).decode([10], max_new)
    (block,) = run.history
    assert (run.accepted, run.proposed, run.blocks) == (accepted, 3, 1)
    assert block.emitted == emitted
    assert run.tokens == emitted[:max_new]


def test_a_stop_token_beyond_the_wanted_length_changes_nothing() -> None:
    whole = plain([4], 6)
    decoder = SpeculativeDecoder(random_draft(1, 1.0), target_step, 5, stop_tokens=[whole[-1]])
    assert decoder.generate([4], whole.index(whole[-1])) == whole[: whole.index(whole[-1])]


def test_a_seed_fixes_sampled_output() -> None:
    rows = np.random.default_rng(0).uniform(0.1, 1.0, (VOCABULARY, VOCABULARY))

    def draft_step(_prefix: Sequence[int], k: int) -> tuple[list[int], FloatArray]:
        return [2] * k, rows[:k]

    def sampled_target(prefix: Sequence[int], proposed: Sequence[int]) -> FloatArray:
        return rows[[prefix[-1], *proposed]]

    def decoder(seed: int) -> SpeculativeDecoder:
        return SpeculativeDecoder(draft_step, sampled_target, 3, False, np.random.default_rng(seed))

    assert decoder(1).generate([0], 20) == decoder(1).generate([0], 20)
    assert len({tuple(decoder(seed).generate([0], 20)) for seed in range(5)}) == 5


def test_a_sampling_decoder_needs_a_generator_and_the_drafts_masses() -> None:
    with pytest.raises(ValueError, match="Generator"):
        SpeculativeDecoder(random_draft(1, 0.5), target_step, 2, greedy=False)
    decoder = SpeculativeDecoder(random_draft(1, 0.5), target_step, 2, False, np.random.default_rng(1))
    with pytest.raises(ValueError, match="masses"):
        decoder.generate([0], 4)


@pytest.mark.parametrize(
    ("prompt", "tokens", "k", "message"),
    [
        ([], 4, 2, "at least one token"),
        ([1], -1, 2, "must not be negative"),
        ([1], 4, -1, "must not be negative"),
    ],
)
def test_impossible_requests_are_refused(prompt: list[int], tokens: int, k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SpeculativeDecoder(random_draft(1, 0.5), target_step, k).generate(prompt, tokens)


def test_a_draft_that_returns_another_number_of_guesses_is_refused() -> None:
    decoder = SpeculativeDecoder(lambda _prefix, _k: ([1], None), target_step, 2)
    with pytest.raises(ValueError, match="1 guesses where 2"):
        decoder.generate([0], 4)


def test_a_target_that_returns_another_number_of_rows_is_refused() -> None:
    decoder = SpeculativeDecoder(random_draft(1, 0.5), lambda _prefix, _proposed: np.ones((2, 7)), 2)
    with pytest.raises(ValueError, match="target_probs must have 3 rows"):
        decoder.generate([0], 4)
