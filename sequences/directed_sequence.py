"""Runs directed programs in their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sequences.directed.directed_program import DirectedProgram
from sequences.program_sequence import ProgramSequence


class DirectedSequence(ProgramSequence):
    """Runs `programs`, set before it starts."""

    programs: Iterable[DirectedProgram] = ()
    read_latency: int | None = None
    """Instead of the programs' own."""

    async def body(self) -> None:
        """Run them all."""
        for program in self.programs:
            bundle = program.bundle
            if self.read_latency is not None:
                bundle = replace(bundle, read_latency=self.read_latency)
            await self.send(program.name, bundle, program.stimulus, strays_expected=program.strays_expected)
