"""Runs random programs in their order."""

from __future__ import annotations

from collections.abc import Iterable

from sequences.program_sequence import ProgramSequence
from sequences.random_programs.random_program import RandomProgram


class RandomProgramSequence(ProgramSequence):
    """Runs `programs`, set before it starts; each is made when its turn comes, if they are an iterator."""

    programs: Iterable[RandomProgram] = ()

    async def body(self) -> None:
        """Run them all; none touches external memory beyond ext_words."""
        for program in self.programs:
            await self.send(program.name, program.bundle(), program.stimulus)
