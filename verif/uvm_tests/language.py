"""Verifier blocks and draft steps by themselves, outside any host loop."""

from __future__ import annotations

from typing import Annotated, Self

import pyuvm
from pydantic import Field, model_validator

from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import MAX_CONTEXT, TARGET_KINDS, VOCABULARY, make_target
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.compiled_sequence import CompiledSequence
from sequences.draft_step import DraftStepSequence
from sequences.verifier_block import VerifierBlockSequence, every_shape
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, Declared, ReadLatency, one_of


class Family(Declared):
    """The programs of one target, and which of them run."""

    target: Annotated[str, one_of("target", TARGET_KINDS)]
    target_seed: int
    scales: ScaleMode
    shapes: tuple[tuple[int, int], ...] = tuple(every_shape())
    """Of blocks: cached rows and rows of the block."""
    draft_tokens: tuple[Annotated[int, Field(ge=0, lt=VOCABULARY)], ...] = tuple(range(VOCABULARY))
    """Tokens to guess from."""

    @model_validator(mode="after")
    def _within_context(self) -> Self:
        for cached, rows in self.shapes:
            if cached < 0 or rows < 1 or cached + rows > MAX_CONTEXT:
                raise ValueError(
                    f"shape [{cached}, {rows}]: a block has at least 1 row, and at most {MAX_CONTEXT} "
                    "together with the cache"
                )
        return self


@pyuvm.test()
class LanguageTest(BenchTest):
    """Verifier blocks and draft steps of some families.

    Payload `guesses`: for each family what the draft made of each token.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        families: tuple[Family, ...] = Field(min_length=1)
        seed: DataSeed
        """Of the caches and the blocks' tokens."""
        read_latencies: tuple[ReadLatency, ...] = Field((DEFAULT_READ_LATENCY,), min_length=1)
        """The blocks take them in turn."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run the blocks of each family, then its draft steps."""
        self.report.payload["guesses"] = [
            await self._run_family(family) for family in self.parameters.families
        ]

    async def _run_family(self, asked: Family) -> list[int]:
        target = make_target(asked.target, asked.target_seed)
        family = ProgramFamily(target, asked.scales, MAX_CONTEXT)
        name = f"{target.name}-{family.scales}"
        blocks = VerifierBlockSequence.create(name)
        blocks.family = family
        blocks.shapes = asked.shapes
        blocks.seed = self.parameters.seed
        blocks.read_latencies = self.parameters.read_latencies
        await self._start(blocks)
        steps = DraftStepSequence.create(f"{name}-draft")
        _, steps.draft = family.for_speculation(bigram_draft(target), k=3)
        steps.tokens = asked.draft_tokens
        await self._start(steps)
        return list(steps.guesses)

    async def _start(self, sequence: CompiledSequence) -> None:
        scoreboard = self.environment.scoreboard
        sequence.observers.append(lambda *run: scoreboard.take(compare_with_interpreter(*run)))
        await sequence.start(self.environment.sequencer)
