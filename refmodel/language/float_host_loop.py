"""The host loop in floating point, from all starts side by side: what verifiers are calibrated on.

Each start runs its own block loop, and each loop asks for the evaluation of one block. The loops advance in
step, so that one batched evaluation answers them all; their caches differ in length and are padded.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import numpy as np

from refmodel.language.draft import Guesser
from refmodel.language.float_model import float_block
from refmodel.language.target import VOCABULARY, WIDTH, TargetModel
from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.block_loop import DecodeRun, Proposal, decode_blocks
from refmodel.speculative.probability_rows import ProbabilityRows
from refmodel.speculative.verification import greedy_rows, verify_greedy


@dataclass(frozen=True, eq=False)
class FloatBlock:
    """One block as the float verifier saw it."""

    x: FloatArray
    """(m, D)"""
    keys: FloatArray
    """(c, D): the cache before the block."""
    values: FloatArray
    new_keys: FloatArray
    """(m, D): the block's own keys, those of rejected guesses included."""
    new_values: FloatArray


@dataclass(frozen=True)
class FloatHostLoop:
    """What the float host loops did, in the order of their starts."""

    runs: tuple[DecodeRun, ...]
    blocks: tuple[FloatBlock, ...]
    drafted: frozenset[int]
    """Tokens that the draft was called on."""


@dataclass
class _FloatTarget:
    """One loop's target: keeps the cache and asks the driver to evaluate a block.

    Rows beyond the committed prefix (rejected guesses) fall away when the next block begins.
    """

    target: TargetModel
    keys: FloatArray = field(default_factory=lambda: np.empty((0, WIDTH)))
    values: FloatArray = field(default_factory=lambda: np.empty((0, WIDTH)))
    blocks: list[FloatBlock] = field(default_factory=list)

    def verify(
        self, prefix: Sequence[int], proposed: Sequence[int]
    ) -> Generator[_Request, _Answer, ProbabilityRows]:
        cached = len(prefix) - 1
        keys, values = self.keys[:cached], self.values[:cached]
        x = self.target.embedding[[prefix[-1], *proposed]]
        answer = yield _Request(x, keys, values)
        self.blocks.append(FloatBlock(x, keys, values, answer.keys, answer.values))
        self.keys = np.concatenate([keys, answer.keys])
        self.values = np.concatenate([values, answer.values])
        return greedy_rows(answer.choices, VOCABULARY)


@dataclass(frozen=True, eq=False)
class _Request:
    """A block to evaluate: x (m, D) over a cache (c, D)."""

    x: FloatArray
    keys: FloatArray
    values: FloatArray


@dataclass(frozen=True, eq=False)
class _Answer:
    """What came of it: the argmax after each row, and the rows' own keys and values (m, D)."""

    choices: list[int]
    keys: FloatArray
    values: FloatArray


@dataclass
class _FloatDraft:
    """The float draft as a source of the block loop; it needs no driver."""

    draft: Guesser
    drafted: set[int] = field(default_factory=set)

    def propose(self, prefix: Sequence[int], k: int) -> Generator[_Request, _Answer, Proposal]:
        yield from ()
        guesses: list[int] = []
        last = prefix[-1]
        for _ in range(k):
            self.drafted.add(last)
            last = self.draft.guess(last)
            guesses.append(last)
        return Proposal(guesses)


def float_host_loop(
    target: TargetModel, draft: Guesser, k: int, tokens: int, starts: Sequence[int] = range(VOCABULARY)
) -> FloatHostLoop:
    """Decode `tokens` tokens in blocks of k guesses from each start, with float verifier and float draft."""
    source = _FloatDraft(draft)
    targets = [_FloatTarget(target) for _ in starts]
    loops = [
        decode_blocks(
            source, state, lambda rows, proposal: verify_greedy(rows, proposal.tokens), [start], tokens, k
        )
        for start, state in zip(starts, targets, strict=True)
    ]
    runs = _drive_in_step(target, loops)
    blocks = tuple(block for state in targets for block in state.blocks)
    return FloatHostLoop(runs, blocks, frozenset(source.drafted))


def _drive_in_step(
    target: TargetModel, loops: Sequence[Generator[_Request, _Answer, DecodeRun]]
) -> tuple[DecodeRun, ...]:
    """Run all loops to their ends; one evaluation a round answers every pending request."""
    runs: dict[int, DecodeRun] = {}
    answers: dict[int, _Answer | None] = dict.fromkeys(range(len(loops)))
    while answers:
        requests: dict[int, _Request] = {}
        for number, answer in answers.items():
            try:
                requests[number] = next(loops[number]) if answer is None else loops[number].send(answer)
            except StopIteration as end:
                runs[number] = end.value
        answers = dict(zip(requests, _evaluate(target, list(requests.values())), strict=True))
    return tuple(runs[number] for number in range(len(loops)))


def _evaluate(target: TargetModel, requests: Sequence[_Request]) -> list[_Answer]:
    """Evaluate blocks of equal m over caches of any lengths as one padded batch."""
    if not requests:
        return []
    cached = np.array([len(request.keys) for request in requests])
    keys = np.zeros((len(requests), int(cached.max()), WIDTH))
    values = np.zeros_like(keys)
    for number, request in enumerate(requests):
        keys[number, : cached[number]] = request.keys
        values[number, : cached[number]] = request.values
    batch = float_block(target, np.stack([request.x for request in requests]), keys, values, cached)
    choices = batch.logits.argmax(axis=-1).tolist()
    return [_Answer(*parts) for parts in zip(choices, batch.k, batch.v, strict=True)]
