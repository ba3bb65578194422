"""The host loop: plain and speculative decoding as a sequence of programs to run.

Both decoders are generators. They yield a `Step`, receive the `Outputs` that its program left in external
memory, and return a `DecodeRun`; whoever drives them (the reference machine, a sequence on the bench)
decides where the programs run. The host picks embedding rows, keeps the cache as the dequantized keys and
values that the chip returned, and feeds the chip's own tokens back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from dataclasses import replace

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.block_loop import Block, DecodeRun, Proposal, decode_blocks
from refmodel.speculative.probability_rows import ProbabilityRows
from refmodel.speculative.step import DraftPrograms, Outputs, Step, TargetPrograms
from refmodel.speculative.verification import greedy_rows, verify_greedy

HostLoop = Generator[Step, Outputs, DecodeRun]


class ContextError(Ga2Error):
    """A decoding that would outgrow the context, or a prompt that is none."""


def plain_decode(
    targets: TargetPrograms, prompt: Sequence[int], tokens: int, stop_tokens: Collection[int] = ()
) -> HostLoop:
    """Decode `tokens` tokens greedily, one step each; all but the last prompt token are fed by steps before.

    Decoding ends early with the first of `stop_tokens`, which is kept. Raises ContextError as
    `check_context` does, before the first step.
    """
    check_context(targets, prompt, tokens, k=0)
    chip = _ChipTarget(targets)
    yield from chip.feed(prompt[:-1])
    last = prompt[-1]
    emitted: list[int] = []
    while len(emitted) < tokens:
        last = yield from chip.plain_step(last)
        emitted.append(last)
        if last in stop_tokens:
            break
    return DecodeRun(tuple(emitted), programs=chip.programs)


def speculative_decode(
    targets: TargetPrograms,
    drafts: DraftPrograms,
    prompt: Sequence[int],
    tokens: int,
    k: int,
    stop_tokens: Collection[int] = (),
    on_block: Callable[[Block], None] | None = None,
) -> HostLoop:
    """Decode `tokens` tokens in verified blocks of k guesses; k = 0 means verifier blocks of one row.

    All but the last prompt token are fed by plain steps. `stop_tokens` and `on_block` are those of
    `decode_blocks`. Raises ContextError as `check_context` does, before the first step.
    """
    check_context(targets, prompt, tokens, k)
    chip = _ChipTarget(targets)
    draft = _ChipDraft(drafts)
    yield from chip.feed(prompt[:-1])
    run = yield from decode_blocks(draft, chip, _greedy, prompt, tokens, k, stop_tokens, on_block)
    return replace(run, programs=chip.programs + draft.programs)


def check_context(targets: TargetPrograms, prompt: Sequence[int], tokens: int, k: int) -> None:
    """Raise ContextError unless the prompt is made of tokens and prompt + tokens + k fit the context."""
    vocabulary = len(targets.embedding)
    if not prompt:
        raise ContextError("the prompt is empty: give at least one start token")
    for token in prompt:
        if not 0 <= token < vocabulary:
            raise ContextError(f"prompt token {token} is outside the vocabulary 0..{vocabulary - 1}")
    if tokens < 0 or k < 0:
        raise ContextError(f"tokens and k must not be negative, found {tokens} and {k}")
    needed = len(prompt) + tokens + k
    if needed > targets.max_context:
        raise ContextError(
            f"prompt ({len(prompt)}) + tokens ({tokens}) + k ({k}) = {needed} rows of context exceed the "
            f"{targets.max_context} that a program can attend to: decode fewer tokens"
        )


class _ChipTarget:
    """The target on the chip, with the cache on the host; a target source of the block loop.

    The cache holds the rows of every token but the last committed one. Rows of rejected guesses are dropped
    when the next block begins, by cutting the cache to the committed prefix.
    """

    def __init__(self, targets: TargetPrograms) -> None:
        self.programs = 0
        self._targets = targets
        width = targets.embedding.shape[1]
        self._keys: FloatArray = np.empty((0, width))
        self._values: FloatArray = np.empty((0, width))

    def feed(self, tokens: Sequence[int]) -> Generator[Step, Outputs, None]:
        """Run a plain step for each token, whose successor is already known."""
        for token in tokens:
            yield from self.plain_step(token)

    def plain_step(self, token: int) -> Generator[Step, Outputs, int]:
        """Run one plain step and return the chip's token."""
        cached = len(self._keys)
        program = self._targets.plain(cached + 1)
        outputs = yield from self._run(Step("plain", program, self._inputs([token]), cached, 1))
        return int(outputs["tok"].item())

    def verify(
        self, prefix: Sequence[int], proposed: Sequence[int]
    ) -> Generator[Step, Outputs, ProbabilityRows]:
        """Run the verifier block [last, guesses] and return all mass on the chip's choices."""
        cached, rows = len(prefix) - 1, 1 + len(proposed)
        self._keys, self._values = self._keys[:cached], self._values[:cached]
        program = self._targets.verifier(cached, rows)
        inputs = self._inputs([prefix[-1], *proposed])
        outputs = yield from self._run(Step("verifier", program, inputs, cached, rows))
        return greedy_rows(outputs["tok"].ravel().tolist(), len(self._targets.embedding))

    def _inputs(self, tokens: list[int]) -> dict[str, FloatArray]:
        inputs = {"x": self._targets.embedding[tokens]}
        if len(self._keys):
            inputs |= {"kc": self._keys, "vc": self._values}
        return inputs

    def _run(self, step: Step) -> Generator[Step, Outputs, Outputs]:
        """Have a step run and append the keys and values it returned to the cache."""
        self.programs += 1
        outputs = yield step
        self._keys = np.concatenate([self._keys, step.program.dequantize("k_new", outputs["k_new"])])
        self._values = np.concatenate([self._values, step.program.dequantize("v_new", outputs["v_new"])])
        return outputs


class _ChipDraft:
    """The draft on the chip; a draft source of the block loop."""

    def __init__(self, drafts: DraftPrograms) -> None:
        self.programs = 0
        self._drafts = drafts

    def propose(self, prefix: Sequence[int], k: int) -> Generator[Step, Outputs, Proposal]:
        """Guess one token after another, each from the one before it."""
        guesses: list[int] = []
        last = prefix[-1]
        for _ in range(k):
            self.programs += 1
            inputs = {"x": self._drafts.embedding[[last]]}
            outputs = yield Step("draft", self._drafts.draft(), inputs, 0, 1)
            last = int(outputs["tok"].item())
            guesses.append(last)
        return Proposal(guesses)


def _greedy(rows: ProbabilityRows, proposal: Proposal) -> tuple[int, int]:
    return verify_greedy(rows, proposal.tokens)
