"""Runs directed programs in their order."""

from __future__ import annotations

from collections.abc import Iterable

from sequences.directed.directed_program import DirectedProgram
from sequences.program_sequence import ProgramSequence


class DirectedSequence(ProgramSequence):
    """Runs `programs`, set before it starts."""

    programs: Iterable[DirectedProgram] = ()

    async def body(self) -> None:
        """Run them all."""
        for program in self.programs:
            await self.send(
                program.name, program.bundle, program.stimulus, strays_expected=program.strays_expected
            )
