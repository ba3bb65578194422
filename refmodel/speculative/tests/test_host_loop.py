"""The host loop, driven by hand: what it asks for, what it keeps, when it stops, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np
import pytest

from refmodel.errors import Ga2Error
from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import random_target, rule, structured
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.block_loop import Block
from refmodel.speculative.host_loop import ContextError, HostLoop, plain_decode, speculative_decode
from refmodel.speculative.model_runner import ModelRun, run_on_model
from refmodel.speculative.step import DraftPrograms, Outputs, Step, TargetPrograms

POSITIONS = 20
TARGET = random_target(1)


@cache
def programs(k: int, noise: float = 0.0) -> tuple[TargetPrograms, DraftPrograms]:
    return family().for_speculation(bigram_draft(TARGET, noise), k)


@cache
def family() -> ProgramFamily:
    return ProgramFamily(TARGET, "model", POSITIONS)


@dataclass
class Trace:
    """Every step of a decoding with its outputs."""

    steps: list[Step] = field(default_factory=list)
    outputs: list[Outputs] = field(default_factory=list)

    def run(self, loop: HostLoop) -> ModelRun:
        return run_on_model(loop, Machine(strict=True), self.record)

    def record(self, step: Step, result: RunResult) -> None:
        self.steps.append(step)
        self.outputs.append(step.program.read_outputs(result.ext))

    def kinds(self) -> list[str]:
        return [step.kind for step in self.steps]

    def tokens_in(self, number: int) -> list[int]:
        """Return the tokens whose embeddings a step got."""
        return [
            int(np.abs(TARGET.embedding - row).max(axis=1).argmin()) for row in self.steps[number].inputs["x"]
        ]


def test_a_plain_decode_feeds_each_token_back_over_the_cache_that_the_chip_returned() -> None:
    trace = Trace()
    done = trace.run(plain_decode(programs(3)[0], [6], 9))
    assert trace.kinds() == ["plain"] * 9
    fed = [6, *done.run.tokens[:-1]]
    keys = values = np.empty((0, 16))
    for number, (step, outputs) in enumerate(zip(trace.steps, trace.outputs, strict=True)):
        assert trace.tokens_in(number) == [fed[number]]
        assert (step.context, step.rows) == (number, 1)
        assert (step.inputs.get("kc", np.empty((0, 16))) == keys).all()
        assert (step.inputs.get("vc", np.empty((0, 16))) == values).all()
        assert outputs["tok"].item() == outputs["logits"].argmax() == done.run.tokens[number]
        keys = np.vstack([keys, outputs["k_new"] * step.program.outputs["k_new"].scale])
        values = np.vstack([values, outputs["v_new"] * step.program.outputs["v_new"].scale])


@pytest.mark.parametrize(("k", "noise"), [(1, 0.0), (3, 0.0), (3, 2.0), (4, 9.0)])
def test_a_block_verifies_chained_guesses_over_the_rows_of_committed_tokens(k: int, noise: float) -> None:
    trace = Trace()
    done = trace.run(speculative_decode(*programs(k, noise), [2], 14, k))
    assert trace.kinds() == (["draft"] * k + ["verifier"]) * done.run.blocks
    committed = [2]
    keys = values = np.empty((0, 16))
    for number, block in enumerate(done.run.history):
        first = number * (k + 1)
        chain = [block.last, *block.proposed]
        for offset in range(k):
            assert trace.tokens_in(first + offset) == [chain[offset]]
            assert trace.outputs[first + offset]["tok"].item() == chain[offset + 1]
        step, outputs = trace.steps[first + k], trace.outputs[first + k]
        assert trace.tokens_in(first + k) == chain
        assert (step.context, step.rows) == (len(committed) - 1, k + 1)
        assert (step.inputs.get("kc", np.empty((0, 16))) == keys).all()
        assert (step.inputs.get("vc", np.empty((0, 16))) == values).all()
        choices = outputs["tok"].ravel().tolist()
        agreed = [guess == choice for guess, choice in zip(block.proposed, choices, strict=False)]
        assert block.accepted == [*agreed, False].index(False)
        assert block.next_token == choices[block.accepted]
        committed.extend(block.emitted)
        kept = block.accepted + 1
        keys = np.vstack([keys, rows(step, outputs, "k_new")[:kept]])
        values = np.vstack([values, rows(step, outputs, "v_new")[:kept]])
        assert len(keys) == len(committed) - 1, "as many rows as tokens emitted"
    assert tuple(committed[1:15]) == done.run.tokens
    assert len(committed) - 1 == done.run.accepted + done.run.blocks
    assert done.run.proposed == k * done.run.blocks
    assert done.run.programs == len(trace.steps)


def rows(step: Step, outputs: Outputs, name: str) -> FloatArray:
    return np.multiply(outputs[name], step.program.outputs[name].scale, dtype=np.float64)


def test_a_prompt_is_fed_by_plain_steps_and_continues_as_if_it_had_been_decoded() -> None:
    targets, drafts = programs(3)
    whole = run_on_model(plain_decode(targets, [9], 16), Machine()).run.tokens
    prompt = [9, *whole[:4]]
    trace = Trace()
    done = trace.run(plain_decode(targets, prompt, 12))
    assert done.run.tokens == whole[4:]
    assert [trace.tokens_in(number)[0] for number in range(5)] == prompt
    assert done.run.programs == len(trace.steps) == 16
    trace = Trace()
    done = trace.run(speculative_decode(targets, drafts, prompt, 12, 3))
    assert done.run.tokens == whole[4:]
    assert trace.kinds()[:5] == ["plain"] * 4 + ["draft"]
    assert done.run.programs == len(trace.steps) == 4 + 4 * done.run.blocks


def test_any_prompt_is_fed_whatever_the_target_would_have_chosen() -> None:
    targets, drafts = programs(2)
    prompt = [4, 4, 11, 0]
    plain = run_on_model(plain_decode(targets, prompt, 10), Machine()).run.tokens
    trace = Trace()
    assert trace.run(speculative_decode(targets, drafts, prompt, 10, 2)).run.tokens == plain
    assert [trace.tokens_in(number) for number in range(3)] == [[4], [4], [11]]


def test_without_guesses_blocks_have_one_row() -> None:
    targets, drafts = programs(0)
    trace = Trace()
    done = trace.run(speculative_decode(targets, drafts, [5], 8, 0))
    assert trace.kinds() == ["verifier"] * 8
    assert all(step.rows == 1 for step in trace.steps)
    assert (done.run.accepted, done.run.proposed, done.run.blocks) == (0, 0, 8)
    assert done.run.tokens == run_on_model(plain_decode(targets, [5], 8), Machine()).run.tokens


def test_counters_are_summed_over_all_programs() -> None:
    targets, drafts = programs(3)
    trace = Trace()
    done = trace.run(speculative_decode(targets, drafts, [5], 8, 3))
    machine = Machine()
    singles = [machine.run(step.bundle()).counters for step in trace.steps]
    assert done.counters.cyc_total == sum(single.cyc_total for single in singles)
    assert done.counters.n_inst == sum(single.n_inst for single in singles)


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("noise", [0, 3, 12])
def test_the_rule_is_followed_through_the_chips_loop(k: int, noise: float) -> None:
    target = structured()
    compiled = ProgramFamily(target, "shape", 16).for_speculation(bigram_draft(target, noise), k)
    done = run_on_model(speculative_decode(*compiled, [0], 16, k), Machine())
    expected = [0]
    for _ in range(16):
        expected.append(rule(expected[-1]))
    assert list(done.run.tokens) == expected[1:]
    if noise == 0:
        assert done.run.accepted == done.run.proposed > 0


def test_the_chips_draft_picks_the_float_drafts_token() -> None:
    draft = bigram_draft(structured(), noise=0)
    program = ProgramFamily(structured(), "shape", 32).for_speculation(draft, 3)[1].draft()
    for token in range(4):
        result = Machine(strict=True).run(program.bundle({"x": draft.embedding[[token]]}))
        assert program.read_outputs(result.ext)["tok"].item() == draft.guess(token)


def test_decoding_stops_at_a_stop_token_and_reports_every_block() -> None:
    targets, drafts = programs(3)
    whole = run_on_model(plain_decode(targets, [2], 12), Machine()).run.tokens
    stop = whole[3]
    blocks: list[Block] = []
    loop = speculative_decode(targets, drafts, [2], 12, 3, stop_tokens={stop}, on_block=blocks.append)
    run = run_on_model(loop, Machine()).run
    assert run.tokens == whole[: whole.index(stop) + 1]
    assert tuple(blocks) == run.history
    plain = run_on_model(plain_decode(targets, [2], 12, stop_tokens={stop}), Machine()).run
    assert plain.tokens == run.tokens


@pytest.mark.parametrize(("prompt", "tokens", "k"), [([1], 61, 3), ([1] * 33, 32, 0), ([1], 32, 32)])
def test_a_decoding_that_would_outgrow_the_context_is_refused(prompt: list[int], tokens: int, k: int) -> None:
    message = (
        rf"prompt \({len(prompt)}\) \+ tokens \({tokens}\) \+ k \({k}\) = 65 rows of context exceed the 64"
    )
    with pytest.raises(ContextError, match=message) as refusal:
        next(speculative_decode(*programs(3), prompt, tokens, k))
    assert isinstance(refusal.value, Ga2Error)


def test_a_plain_decode_that_would_outgrow_the_context_is_refused() -> None:
    with pytest.raises(ContextError, match="= 65 rows of context exceed the 64"):
        next(plain_decode(programs(3)[0], [1], 64))


def test_the_whole_context_can_be_used() -> None:
    target = structured()
    compiled = ProgramFamily(target, "shape", 60).for_speculation(bigram_draft(target), 3)
    done = run_on_model(speculative_decode(*compiled, [0], 60, 3), Machine())
    assert len(done.run.tokens) == 60
    assert max(len(block.proposed) + block.position for block in done.run.history) == 60


@pytest.mark.parametrize(
    ("prompt", "tokens", "k", "message"),
    [
        ([], 4, 2, "prompt is empty"),
        ([1, 16], 4, 2, "prompt token 16 is outside the vocabulary"),
        ([-1], 4, 2, "prompt token -1 is outside the vocabulary"),
        ([1], -4, 2, "must not be negative"),
        ([1], 4, -2, "must not be negative"),
    ],
)
def test_impossible_requests_are_refused(prompt: list[int], tokens: int, k: int, message: str) -> None:
    with pytest.raises(ContextError, match=message):
        next(speculative_decode(*programs(2), prompt, tokens, k))


def test_no_tokens_are_no_blocks() -> None:
    assert run_on_model(speculative_decode(*programs(2), [1], 0, 2), Machine()).run.programs == 0
