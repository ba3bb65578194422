"""Replays bundles, each from a known scratchpad."""

from __future__ import annotations

from refmodel.machine.bundle import Bundle
from refmodel.machine.result import RunResult
from sequences.preset import preset
from sequences.program_sequence import ProgramSequence


class ReplaySequence(ProgramSequence):
    """Runs named bundles one after another; a bundle without a scratchpad image begins with zeros."""

    def __init__(self, name: str = "replay") -> None:
        """Make a sequence without bundles; set `bundles` before it starts."""
        super().__init__(name)
        self.bundles: dict[str, Bundle] = {}
        self.results: dict[str, RunResult] = {}
        """What each left behind, once it has run."""

    async def body(self) -> None:
        """Run them all."""
        for name, bundle in self.bundles.items():
            self.results[name] = await self.send(name, preset(bundle))
