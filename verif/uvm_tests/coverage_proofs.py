"""Runs the proofs of coverage, each by itself, and tells what its bin counted."""

from __future__ import annotations

from typing import Any

import pyuvm

from sequences.coverage_proofs import all_proofs
from sequences.coverage_proofs.proof import Decoding, Evidence, Proof
from sequences.directed_sequence import DirectedSequence
from sequences.plain_decode import PlainDecodeSequence
from sequences.speculative_decode import SpeculativeDecodeSequence
from verif.coverage.collector import CoverageCollector
from verif.coverage.loop_record import plain_loop, speculative_loop
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class CoverageProofTest(BenchTest):
    """Payload `proofs`: for each {`item`, `bin`, `hits`, `misses`}.

    `hits` is how often what must hit the bin did, `misses` how often each of those that must not did.
    """

    counts_for_coverage = False

    def build_phase(self) -> None:
        """Collect coverage without being asked."""
        super().build_phase()
        self.environment.collects_coverage = True

    async def stimulate(self) -> None:
        """Run every proof."""
        proofs: list[dict[str, Any]] = self.report.payload.setdefault("proofs", [])
        for proof in all_proofs():
            hits = await self._count(proof, proof.hits)
            misses = [await self._count(proof, miss) for miss in proof.misses]
            proofs.append({"item": proof.item, "bin": list(proof.bin), "hits": hits, "misses": misses})

    async def _count(self, proof: Proof, evidence: Evidence) -> int:
        """Return how often some evidence hit the proof's bin."""
        coverage: CoverageCollector | None = self.environment.coverage
        assert coverage is not None, "this test collects coverage"
        (number,) = coverage.tally.model[proof.item].named(*proof.bin)
        tally = coverage.tally
        before = tally.count(number)
        if isinstance(evidence, Decoding):
            await self._decode(evidence, coverage)
        else:
            sequence = DirectedSequence.create("proof")
            sequence.programs = evidence
            await sequence.start(self.environment.sequencer)
        return tally.count(number) - before

    async def _decode(self, decoding: Decoding, coverage: CoverageCollector) -> None:
        kind = SpeculativeDecodeSequence if decoding.speculative else PlainDecodeSequence
        record = speculative_loop if decoding.speculative else plain_loop
        sequence = kind.create("proof")
        sequence.request = decoding.request
        await sequence.start(self.environment.sequencer)
        coverage.loop_ended("proof", record(decoding.request, sequence.run))
