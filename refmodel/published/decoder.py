"""The decodings and programs that the published figures are about, on the reference machine."""

from __future__ import annotations

from functools import cache
from typing import Any

from refmodel.capra.program import Program
from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import make_target
from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters
from refmodel.published import figures
from refmodel.speculative.host_loop import plain_decode, speculative_decode
from refmodel.speculative.model_runner import ModelRun, run_on_model

FIGURES = figures()
TOKENS: int = FIGURES["tokens"]
START: int = FIGURES["start"]
DRAFT_SEED: int = FIGURES["draft_seed"]


class PublishedDecoder:
    """Runs decodings of 32 tokens from start 0 under one mode of scale planning, each once."""

    def __init__(self, scales: ScaleMode) -> None:
        """Begin with nothing run yet."""
        self.machine = Machine()
        self._scales = scales
        self.family = cache(self._family)
        self.plain = cache(self._plain)
        self.speculative = cache(self._speculative)

    def run(self, row: dict[str, Any]) -> ModelRun:
        """Run the decoding that a row of the figures describes."""
        target = row["target"], row.get("target_seed", 1)
        if row["mode"] == "plain":
            return self.plain(*target)
        return self.speculative(*target, row["k"], row["noise"])

    def verifier(self, cached: int, rows: int = 4) -> Program:
        """Return the verifier block of the structured target over so many cached rows."""
        return self.family("structured", 1).for_plain().verifier(cached, rows)

    def plain_step(self, context: int) -> Program:
        """Return the plain step of the structured target that attends to `context` rows."""
        return self.family("structured", 1).for_plain().plain(context)

    def draft(self) -> Program:
        """Return the draft step for the structured target."""
        family = self.family("structured", 1)
        return family.for_speculation(bigram_draft(family.target), 3)[1].draft()

    def counters(self, program: Program) -> Counters:
        """Run a program on ones, since time does not depend on data, and return its counters."""
        inputs = {name: [[1.0] * port.shape[1]] * port.shape[0] for name, port in program.inputs.items()}
        return self.machine.run(program.bundle(inputs)).counters

    def _family(self, kind: str, seed: int) -> ProgramFamily:
        return ProgramFamily(make_target(kind, seed), self._scales, TOKENS)

    def _plain(self, kind: str, seed: int) -> ModelRun:
        targets = self.family(kind, seed).for_plain()
        return run_on_model(plain_decode(targets, [START], TOKENS), self.machine)

    def _speculative(self, kind: str, seed: int, k: int, noise: float) -> ModelRun:
        family = self.family(kind, seed)
        targets, drafts = family.for_speculation(bigram_draft(family.target, noise, DRAFT_SEED), k)
        return run_on_model(speculative_decode(targets, drafts, [START], TOKENS, k), self.machine)
