"""Verifier blocks of every shape, draft steps of every token, on both simulators."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.language.draft import bigram_draft
from refmodel.language.target import make_target
from sequences.verifier_block import MAX_BLOCK_ROWS, BlockShape, every_shape
from verif.tests.conftest import Simulate

TARGETS = (("structured", 1), ("random", 3), ("sharp", 2))
FAMILIES = [(kind, seed, scales) for kind, seed in TARGETS for scales in ("shape", "model")]
TOKENS = list(range(16))


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param((0, 3, 4), id="every-target"),
        pytest.param((1, 2, 5), id="other-scales", marks=pytest.mark.slow("icarus")),
    ],
)
def test_a_sample_of_the_shapes_of_every_target(
    simulate: Simulate, seed: int, numbers: tuple[int, ...]
) -> None:
    families = [_family(number, sample_of_shapes(number)) for number in numbers]
    report = simulate("language.LanguageTest", families=families, seed=seed)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == len(numbers) * (MAX_BLOCK_ROWS + len(TOKENS))
    rule = [(5 * token + 3) % 16 for token in TOKENS]
    for number, guesses in zip(numbers, report.payload["guesses"], strict=True):
        kind = FAMILIES[number][0]
        assert len(guesses) == len(TOKENS)
        assert guesses == rule or kind != "structured"


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FAMILIES)), ids=["-".join(map(str, each)) for each in FAMILIES])
def test_every_shape(simulate: Simulate, seed: int, number: int) -> None:
    shapes = every_shape()
    family = _family(number, shapes)
    report = simulate("language.LanguageTest", timeout=1200.0, families=[family], seed=seed)
    assert report.passed, report.error or "\n".join(map(str, report.mismatches))
    assert report.programs == len(shapes) + len(TOKENS)


def test_there_are_484_shapes() -> None:
    shapes = every_shape()
    # 0..56 cached rows leave room for 8 more each, 57..63 for 7 down to 1.
    assert len(set(shapes)) == len(shapes) == 57 * 8 + 28 == 484
    assert all(cached >= 0 and 1 <= rows <= 8 and cached + rows <= 64 for cached, rows in shapes)


def test_the_samples_reach_every_number_of_rows_and_both_ends_of_the_cache() -> None:
    samples = [sample_of_shapes(number) for number in range(len(FAMILIES))]
    for sample in samples:
        assert [rows for _, rows in sample] == list(range(1, 9))
    everything = {shape for sample in samples for shape in sample}
    assert everything <= set(every_shape())
    assert everything >= {(0, rows) for rows in range(1, 9)} | {(64 - rows, rows) for rows in range(1, 9)}
    assert len(everything) >= 4 * 8 - 1


def test_float_drafts_and_the_chip_differ_in_ties_only() -> None:
    """Guards the check of guesses above: the structured draft's margin is far beyond one level."""
    logits = bigram_draft(make_target("structured")).logits
    best, second = (logits.copy() for _ in range(2))
    second[range(16), logits.argmax(axis=1)] = -100
    assert (best.max(axis=1) - second.max(axis=1) > 10 * 8 / 127).all()


def sample_of_shapes(number: int) -> list[BlockShape]:
    """Return for each number of rows an empty cache, the longest one, or one in between."""
    shapes = []
    for rows in range(1, MAX_BLOCK_ROWS + 1):
        longest = 64 - rows
        between = 1 + (number * 29 + rows * 17) % (longest - 1)
        shapes.append(((0, longest, between)[(number + rows) % 3], rows))
    return shapes


def _family(number: int, shapes: list[BlockShape]) -> dict[str, Any]:
    kind, target_seed, scales = FAMILIES[number]
    return {
        "target": kind,
        "target_seed": target_seed,
        "scales": scales,
        "shapes": shapes,
        "draft_tokens": TOKENS,
    }
