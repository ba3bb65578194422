"""Decodes on the RTL, plainly and speculatively, and compares the two token by token."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import pyuvm
from pydantic import Field

from refmodel.machine.result import RunResult
from refmodel.speculative.step import Step
from sequences.bundle_saver import BundleSaver
from sequences.decode_request import DecodeRequest
from sequences.plain_decode import PlainDecodeSequence
from sequences.program_record import ProgramRecord, record_program
from sequences.speculative_decode import SpeculativeDecodeSequence
from verif.coverage.loop_record import plain_loop, speculative_loop
from verif.loop_outcome import LoopOutcome
from verif.scoreboard.verdict import Aspect, Mismatch
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import Declared, legal


class Decoding(Declared):
    """What is decoded, and how."""

    request: Annotated[DecodeRequest, legal(DecodeRequest.check)]
    speculative: bool
    """Speculatively too, not only plainly?"""


@pyuvm.test()
class DecodeTest(BenchTest):
    """Each decoding runs plainly, once for all that ask for the same, and speculatively if asked to.

    Speculative tokens must equal the plain ones that this RTL decoded: with `model` scales a difference is a
    mismatch, with `shape` scales a warning.

    Payload `decodings`: for each {`plain`, `speculative` or null}, both as `LoopOutcome.to_json`.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        decodings: tuple[Decoding, ...] = Field(min_length=1)
        bundles: str | None = None
        """A directory that keeps every program."""
        progress: str | None = None
        """A file that gets a line for each program that has ended: its cycles."""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Run every decoding."""
        self._plain: dict[DecodeRequest, LoopOutcome] = {}
        decodings: list[dict[str, Any]] = self.report.payload.setdefault("decodings", [])
        for decoding in self.parameters.decodings:
            request = decoding.request
            plain = await self._decode_plainly(request)
            outcomes: dict[str, Any] = {"plain": plain.to_json(), "speculative": None}
            decodings.append(outcomes)
            if decoding.speculative:
                sequence = SpeculativeDecodeSequence.create("speculative")
                sequence.request = request
                speculative = await self._decode(sequence)
                outcomes["speculative"] = speculative.to_json()
                self._compare_tokens(request, plain, speculative)

    async def _decode_plainly(self, request: DecodeRequest) -> LoopOutcome:
        key = replace(request, k=0, draft="bigram", noise=0.0, draft_seed=0)
        if key not in self._plain:
            sequence = PlainDecodeSequence.create("plain")
            sequence.request = request
            self._plain[key] = await self._decode(sequence)
        return self._plain[key]

    async def _decode(self, sequence: PlainDecodeSequence | SpeculativeDecodeSequence) -> LoopOutcome:
        scoreboard = self.environment.scoreboard
        directory = self.parameters.bundles
        saver = BundleSaver(Path(directory) if directory else None, sequence.get_name())
        records: list[ProgramRecord] = []

        def observe(step: Step, result: RunResult) -> None:
            records.append(record_program(step, result))
            saver.save(step)
            self._tell_progress(result.counters.cyc_total)

        sequence.observers.append(observe)
        began = time.perf_counter()
        comparisons, mismatches = scoreboard.tally.comparisons, len(scoreboard.mismatches)
        await sequence.start(self.environment.sequencer)
        assert sequence.run is not None, "a host loop ended without a result"
        if self.environment.coverage is not None:
            record = plain_loop if isinstance(sequence, PlainDecodeSequence) else speculative_loop
            self.environment.coverage.loop_ended(sequence.get_name(), record(sequence.request, sequence.run))
        return LoopOutcome.of(
            sequence.run,
            tuple(records),
            scoreboard.tally.comparisons - comparisons,
            tuple(str(each) for each in scoreboard.mismatches[mismatches:]),
            time.perf_counter() - began,
        )

    def _tell_progress(self, cycles: int) -> None:
        progress = self.parameters.progress
        if progress:
            with Path(progress).open("a", encoding="utf-8") as file:
                file.write(f"{cycles}\n")

    def _compare_tokens(self, request: DecodeRequest, plain: LoopOutcome, speculative: LoopOutcome) -> None:
        """Judge the end-to-end invariant."""
        self.environment.scoreboard.tally.comparisons += len(plain.tokens)
        if plain.tokens == speculative.tokens:
            return
        difference = Mismatch(
            f"speculative decoding of {request}",
            Aspect.TOKENS,
            "all",
            f"{plain.tokens} as decoded plainly",
            str(speculative.tokens),
        )
        if request.scales == "model":
            self.report.mismatches.append(difference)
        else:
            self.report.warnings.append(f"{difference}; scales planned for each shape allow that")
