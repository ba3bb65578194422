"""Runs one program with a part of its environment left out, then with all of it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Annotated

import numpy as np
import pyuvm
from pydantic import Field

from sequences.directed.directed_program import DirectedProgram, tour
from sequences.directed_sequence import DirectedSequence
from sequences.named_programs import named_program, require_program
from sequences.stimulus import PLAIN, Stimulus
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.parameters import DataSeed, ReadLatency, legal, one_of

FIELDS = tuple(field.name for field in fields(Stimulus))


@pyuvm.test()
class StimulusNeededTest(BenchTest):
    """A program as `without` says, then as it is, each behind a tour that halts and clears what is left.

    On a chip with an error that only the part left out can show, the last program alone fails.
    """

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        program: Annotated[str, legal(require_program)]
        seed: DataSeed
        without: tuple[Annotated[str, one_of("field", FIELDS)], ...] = Field(())
        """Fields of its stimulus that have their default values in the first run."""
        read_latency: ReadLatency | None = None
        """Of the first run, instead of the program's own."""

    parameters: Parameters

    counts_for_coverage = False

    async def stimulate(self) -> None:
        """Run both, and a tour before each."""
        program = named_program(self.parameters.program, self.parameters.seed)
        bundle = program.bundle
        if self.parameters.read_latency is not None:
            bundle = replace(bundle, read_latency=self.parameters.read_latency)
        defaults = {name: getattr(PLAIN, name) for name in self.parameters.without}
        less = DirectedProgram("without", bundle, replace(program.stimulus, **defaults))
        generator = np.random.default_rng(self.parameters.seed)
        sequence = DirectedSequence.create("both")
        before, between = (DirectedProgram(name, tour(generator)) for name in ("before", "between"))
        sequence.programs = [before, less, between, program]
        await sequence.start(self.environment.sequencer)
