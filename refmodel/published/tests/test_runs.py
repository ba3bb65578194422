"""The tokens and the number of programs of every published decoding, under both modes of scales."""

from __future__ import annotations

from typing import Any

import pytest

from refmodel.language.target import rule
from refmodel.published.decoder import FIGURES, START, TOKENS, PublishedDecoder
from refmodel.speculative.model_runner import ModelRun


def row_name(row: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in row.items() if key in ("target", "mode", "k", "noise"))


def assert_tokens(row: dict[str, Any], done: ModelRun, decoder: PublishedDecoder) -> None:
    """The structured target follows its rule; speculative tokens equal the chip's own plain tokens."""
    assert len(done.run.tokens) == TOKENS
    assert done.run.tokens == decoder.plain(row["target"], row.get("target_seed", 1)).run.tokens
    if row["target"] == "structured":
        expected = [START]
        for _ in range(TOKENS):
            expected.append(rule(expected[-1]))
        assert list(done.run.tokens) == expected[1:]


def assert_programs_counted(row: dict[str, Any], done: ModelRun) -> None:
    """One program a token in a plain decode; k drafts and a verifier in each block."""
    expected = TOKENS if row["mode"] == "plain" else done.run.blocks * (row["k"] + 1)
    assert done.run.programs == expected


@pytest.mark.parametrize("row", FIGURES["runs"], ids=row_name)
def test_the_published_table(row: dict[str, Any], shape_decoder: PublishedDecoder) -> None:
    done = shape_decoder.run(row)
    assert_tokens(row, done, shape_decoder)
    assert_programs_counted(row, done)


@pytest.mark.parametrize("row", FIGURES["model_scales"], ids=row_name)
def test_the_table_under_model_scales(row: dict[str, Any], model_decoder: PublishedDecoder) -> None:
    done = model_decoder.run(row)
    assert_tokens(row, done, model_decoder)
    assert_programs_counted(row, done)


def test_the_published_tokens_of_the_random_target(shape_decoder: PublishedDecoder) -> None:
    assert (START, *shape_decoder.plain("random", 1).run.tokens[:9]) == (0, 5, 3, 13, 9, 1, 11, 11, 11, 11)
