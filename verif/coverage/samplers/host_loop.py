"""Decodings: guesses accepted, prompts, and why the loop ended."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verif.coverage.dimension import IndexArray
from verif.coverage.loop_record import LoopRecord
from verif.coverage.model import CoverageModel


def sample(model: CoverageModel, loop: LoopRecord) -> Iterator[IndexArray]:
    """Yield the bins that a decoding hits."""
    if loop.accepted:
        item = model["accepted_guesses"]
        k, accepted = item.dimensions
        yield item.hits(k.indices(loop.k), accepted.indices(np.array(loop.accepted)))
    if loop.accepted and loop.decoding == "speculative":
        item = model["accepted_by_scales"]
        scales, rows, accepted = item.dimensions
        yield item.hits(
            scales.index(loop.scales), rows.indices(loop.k + 1), accepted.indices(np.array(loop.accepted))
        )
    item = model["prompt_length"]
    decoding, tokens = item.dimensions
    yield item.hits(decoding.index(loop.decoding), tokens.indices(loop.prompt))
    for end in _ends(loop):
        yield model["loop_end"].named(loop.decoding, end)


def _ends(loop: LoopRecord) -> Iterator[str]:
    """Yield everything that is true of how a decoding ended; a plain step counts as a block of one token."""
    if loop.wanted == 0:
        yield "before the first token"
        return
    if loop.stopped:
        yield "with a stop token"
    else:
        yield "with its last block" if loop.emitted == loop.wanted else "inside its last block"
    if loop.wanted == 1:
        yield "after one token"
    if loop.context_full and not loop.stopped:
        yield "with its context full"
