"""Speculative decoding for callers who hold two functions rather than programs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass
from typing import Never

import numpy as np

from refmodel.speculative.block_loop import Block, DecodeRun, Proposal, decode_blocks
from refmodel.speculative.probability_rows import DraftTokens, ProbabilityRows
from refmodel.speculative.verification import accept, verify_greedy

DraftStep = Callable[[Sequence[int], int], tuple[DraftTokens, ProbabilityRows | None]]
"""(prefix, k) to k guesses and the masses (k, V) they were drawn from, or None for a greedy decoder."""

TargetStep = Callable[[Sequence[int], Sequence[int]], ProbabilityRows]
"""(prefix, guesses) to the target's masses after the prefix and after each guess, shape (k + 1, V)."""


@dataclass(frozen=True)
class SpeculativeDecoder:
    """Decodes with a draft and a target: faster than the target alone and indistinguishable from it.

    Greedy output equals the target's greedy decoding, whatever the draft; sampled output has the target's
    distribution. A sampling decoder needs a `generator`, the only source of randomness; ValueError without
    one.
    """

    draft_step: DraftStep
    target_step: TargetStep
    k: int
    greedy: bool = True
    generator: np.random.Generator | None = None
    stop_tokens: Collection[int] = ()
    on_block: Callable[[Block], None] | None = None
    """Called after each block, for progress and statistics."""

    def __post_init__(self) -> None:
        """Refuse to sample without a source of randomness."""
        if not self.greedy and self.generator is None:
            raise ValueError("a sampling decoder needs a numpy.random.Generator")

    def generate(self, prompt_ids: Sequence[int], max_new: int) -> list[int]:
        """Return the `max_new` tokens after the prompt, fewer when a stop token ends them (it is kept)."""
        return list(self.decode(prompt_ids, max_new).tokens)

    def decode(self, prompt_ids: Sequence[int], max_new: int) -> DecodeRun:
        """Like `generate`, and return the verified blocks too."""
        loop = decode_blocks(
            self, self, self._decide, prompt_ids, max_new, self.k, self.stop_tokens, self.on_block
        )
        try:
            next(loop)
        except StopIteration as end:
            run: DecodeRun = end.value
            return run
        raise AssertionError("a loop over plain functions has nothing to ask its driver")

    def propose(self, prefix: Sequence[int], k: int) -> Generator[Never, None, Proposal]:
        """Ask the draft function; as a source of the block loop it yields nothing."""
        yield from ()
        return Proposal(*self.draft_step(prefix, k))

    def verify(
        self, prefix: Sequence[int], proposed: Sequence[int]
    ) -> Generator[Never, None, ProbabilityRows]:
        """Ask the target function; as a source of the block loop it yields nothing."""
        yield from ()
        return self.target_step(prefix, proposed)

    def _decide(self, rows: ProbabilityRows, proposal: Proposal) -> tuple[int, int]:
        if self.greedy or self.generator is None:
            return verify_greedy(rows, proposal.tokens)
        if proposal.probabilities is None:
            raise ValueError("a sampling decoder needs the masses that the draft drew its guesses from")
        return accept(rows, proposal.probabilities, proposal.tokens, self.generator)
