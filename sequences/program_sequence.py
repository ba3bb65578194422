"""The base of every sequence: sends programs and waits for their results."""

from __future__ import annotations

from pyuvm import uvm_sequence

from refmodel.machine.bundle import Bundle
from refmodel.machine.result import RunResult
from sequences.program_item import ProgramItem
from sequences.stimulus import PLAIN, Stimulus


class ProgramSequence(uvm_sequence):
    """A sequence of programs; `body` calls `send` for each."""

    async def send(
        self,
        name: str,
        bundle: Bundle,
        stimulus: Stimulus = PLAIN,
        *,
        strays_expected: bool = False,
        traced: bool = False,
    ) -> RunResult:
        """Run one program on the RTL and return what it left behind.

        `name` is how reports call it; with `traced` the BFM keeps every event of it. Raises what the driver
        met instead of a result, a HangError say.
        """
        item: ProgramItem = ProgramItem.create(name)
        await self.start_item(item)
        item.set(bundle, stimulus, strays_expected=strays_expected)
        item.traced = traced
        await self.finish_item(item)
        return item.outcome()
