"""Verifier blocks and draft steps by themselves, outside any host loop."""

from __future__ import annotations

import pyuvm

from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import make_target
from sequences.draft_step import DraftStepSequence
from sequences.verifier_block import VerifierBlockSequence
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class LanguageTest(BenchTest):
    """Parameters `target`, `target_seed`, `scales`; `shapes`: pairs of cached rows and rows of the block;
    `draft_tokens`: tokens to guess from; `seed`: of the cache and the blocks' tokens.

    Payload `guesses`: what the draft made of each token.
    """

    async def stimulate(self) -> None:
        """Run the blocks, then the draft steps."""
        target = make_target(self.parameters["target"], self.parameters["target_seed"])
        positions = max(cached + rows for cached, rows in self.parameters["shapes"])
        family = ProgramFamily(target, self.parameters["scales"], positions)
        blocks = VerifierBlockSequence.create("blocks")
        blocks.family = family
        blocks.shapes = [(cached, rows) for cached, rows in self.parameters["shapes"]]
        blocks.seed = self.parameters["seed"]
        await blocks.start(self.environment.sequencer)
        steps = DraftStepSequence.create("draft_steps")
        _, steps.draft = family.for_speculation(bigram_draft(target), k=3)
        steps.tokens = self.parameters["draft_tokens"]
        await steps.start(self.environment.sequencer)
        self.report.payload["guesses"] = steps.guesses
