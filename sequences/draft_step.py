"""Single draft steps: one guess from one token."""

from __future__ import annotations

from collections.abc import Sequence

from refmodel.language.programs import CompiledDraft
from sequences.compiled_sequence import CompiledSequence


class DraftStepSequence(CompiledSequence):
    """Runs the draft once for each of `tokens`; set that and `draft` before it starts."""

    draft: CompiledDraft
    tokens: Sequence[int] = ()

    def __init__(self, name: str = "draft_steps") -> None:
        """Make a sequence; `guesses` fills as it runs."""
        super().__init__(name)
        self.guesses: list[int] = []

    async def body(self) -> None:
        """Run them all."""
        program = self.draft.draft()
        for token in self.tokens:
            inputs = {"x": self.draft.embedding[[token]]}
            result = await self.send_compiled(f"{self.get_name()}-{token}", program, inputs)
            self.guesses.append(int(program.read_outputs(result.ext)["tok"].item()))
