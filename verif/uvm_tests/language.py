"""Verifier blocks and draft steps by themselves, outside any host loop."""

from __future__ import annotations

import pyuvm

from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import MAX_CONTEXT, VOCABULARY, make_target
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.compiled_sequence import CompiledSequence
from sequences.draft_step import DraftStepSequence
from sequences.verifier_block import VerifierBlockSequence, every_shape
from verif.scoreboard.interpreter_comparison import compare_with_interpreter
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import Parameters


@pyuvm.test()
class LanguageTest(BenchTest):
    """Parameters `families`: objects {`target`, `target_seed`, `scales`, `shapes` (all by default): pairs of
    cached rows and rows of the block, `draft_tokens` (all by default): tokens to guess from}; `seed`: of the
    caches and the blocks' tokens; `read_latencies` (default: the standard one): what the blocks take in turn.

    Payload `guesses`: for each family what the draft made of each token.
    """

    async def stimulate(self) -> None:
        """Run the blocks of each family, then its draft steps."""
        self.report.payload["guesses"] = [
            await self._run_family(Parameters(family, "a family")) for family in self.parameters["families"]
        ]

    async def _run_family(self, parameters: Parameters) -> list[int]:
        target = make_target(parameters["target"], parameters["target_seed"])
        family = ProgramFamily(target, parameters["scales"], MAX_CONTEXT)
        name = f"{target.name}-{family.scales}"
        blocks = VerifierBlockSequence.create(name)
        blocks.family = family
        blocks.shapes = [(cached, rows) for cached, rows in parameters.get("shapes", every_shape())]
        blocks.seed = self.parameters["seed"]
        blocks.read_latencies = self.parameters.get("read_latencies", [DEFAULT_READ_LATENCY])
        await self._start(blocks)
        steps = DraftStepSequence.create(f"{name}-draft")
        _, steps.draft = family.for_speculation(bigram_draft(target), k=3)
        steps.tokens = parameters.get("draft_tokens", range(VOCABULARY))
        await self._start(steps)
        parameters.require_all_known()
        return list(steps.guesses)

    async def _start(self, sequence: CompiledSequence) -> None:
        scoreboard = self.environment.scoreboard
        sequence.observers.append(lambda *run: scoreboard.take(compare_with_interpreter(*run)))
        await sequence.start(self.environment.sequencer)
