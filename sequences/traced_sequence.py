"""Runs programs of which the last must be understood."""

from __future__ import annotations

from collections.abc import Sequence

from sequences.directed.directed_program import DirectedProgram
from sequences.program_sequence import ProgramSequence


class TracedSequence(ProgramSequence):
    """Runs `programs`, set before it starts: all but the last plainly, then the last in trace mode."""

    programs: Sequence[DirectedProgram] = ()

    async def body(self) -> None:
        """Run them all."""
        for position, program in enumerate(self.programs, start=1):
            await self.send(
                program.name,
                program.bundle,
                program.stimulus,
                strays_expected=program.strays_expected,
                traced=position == len(self.programs),
            )
