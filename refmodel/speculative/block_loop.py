"""The one loop of speculative decoding: propose, verify, commit, until enough tokens are out.

The loop is a generator that is indifferent to what it yields. A `DraftSource` and a `TargetSource` are
generators too; whatever they yield (programs to run, requests to a batched float model, or nothing at all)
passes through to the driver, and the driver's answers pass back. Hence one loop serves the chip, the
calibration and plain Python callers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from refmodel.speculative.probability_rows import DraftTokens, ProbabilityRows

Request = TypeVar("Request", covariant=True)
Answer = TypeVar("Answer", contravariant=True)


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a draft suggests to follow a prefix."""

    tokens: DraftTokens
    """K guesses, in order."""
    probabilities: ProbabilityRows | None = None
    """The masses that each guess was drawn from, shape (K, V); a greedy draft needs none."""


@dataclass(frozen=True)
class Block:
    """One verified block."""

    position: int
    """Tokens committed before it, the prompt included."""
    last: int
    """The last committed token, which the block starts with."""
    proposed: tuple[int, ...]
    accepted: int
    """How many of the guesses stand."""
    next_token: int
    """The target's own choice after them."""
    dropped: int = 0
    """Tokens behind a stop token, which are not emitted."""

    @property
    def emitted(self) -> tuple[int, ...]:
        """Tokens that the block adds: accepted + 1 of them, or those up to a stop token."""
        return (*self.proposed[: self.accepted], self.next_token)[: self.accepted + 1 - self.dropped]


@dataclass(frozen=True)
class DecodeRun:
    """What a decoding produced and what it cost."""

    tokens: tuple[int, ...]
    """The tokens after the prompt."""
    history: tuple[Block, ...] = ()
    """Every verified block, in order; none for a plain decode."""
    programs: int = 0
    """Programs run; 0 when nothing ran as a program."""

    @property
    def accepted(self) -> int:
        """Guesses that stood: those of a truncated last block included, those behind a stop token not."""
        return sum(min(block.accepted, len(block.emitted)) for block in self.history)

    @property
    def proposed(self) -> int:
        """Guesses made."""
        return sum(len(block.proposed) for block in self.history)

    @property
    def blocks(self) -> int:
        """Blocks verified."""
        return len(self.history)


class DraftSource(Protocol[Request, Answer]):
    """Whatever can guess."""

    def propose(self, prefix: Sequence[int], k: int) -> Generator[Request, Answer, Proposal]:
        """Guess the k tokens after `prefix`."""
        ...


class TargetSource(Protocol[Request, Answer]):
    """Whatever can judge guesses."""

    def verify(
        self, prefix: Sequence[int], proposed: Sequence[int]
    ) -> Generator[Request, Answer, ProbabilityRows]:
        """Return the masses after `prefix` and after each further guess, shape (len(proposed) + 1, V)."""
        ...


Decide = Callable[[ProbabilityRows, Proposal], tuple[int, int]]
"""A verification operation: (target's rows, proposal) to (guesses accepted, next token)."""


def decode_blocks(
    draft: DraftSource[Request, Answer],
    target: TargetSource[Request, Answer],
    decide: Decide,
    prompt: Sequence[int],
    max_new: int,
    k: int,
    stop_tokens: Collection[int] = (),
    on_block: Callable[[Block], None] | None = None,
) -> Generator[Request, Answer, DecodeRun]:
    """Decode `max_new` tokens after `prompt` in blocks of k guesses; k = 0 takes one token a block.

    The last block may overshoot: its tokens are truncated, its work is counted. Decoding ends early with
    the first stop token, which is kept. Hence, before truncation, tokens = accepted + blocks (one less if a
    guess is the stop token) and proposed = k·blocks. Raises ValueError for an empty prompt, a negative count,
    and a draft that returns another number of guesses than k.
    """
    if not prompt:
        raise ValueError("the prompt must hold at least one token")
    if max_new < 0 or k < 0:
        raise ValueError(f"max_new and k must not be negative, found {max_new} and {k}")
    committed = list(prompt)
    end = len(prompt) + max_new
    history: list[Block] = []
    stopped = False
    while len(committed) < end and not stopped:
        proposal = yield from draft.propose(tuple(committed), k)
        guesses = tuple(int(token) for token in proposal.tokens)
        if len(guesses) != k:
            raise ValueError(f"the draft returned {len(guesses)} guesses where {k} were asked for")
        rows = yield from target.verify(tuple(committed), guesses)
        accepted, next_token = decide(rows, proposal)
        block = Block(len(committed), committed[-1], guesses, accepted, next_token)
        wanted = block.emitted[: end - len(committed)]
        stop = next((place for place, token in enumerate(wanted) if token in stop_tokens), None)
        if stop is not None:
            stopped = True
            block = replace(block, dropped=len(block.emitted) - stop - 1)
        history.append(block)
        committed += block.emitted
        if on_block is not None:
            on_block(block)
    return DecodeRun(tuple(committed[len(prompt) : end]), tuple(history))
