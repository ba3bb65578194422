"""The driver: gives programs to the BFM, one at a time."""

from __future__ import annotations

from pyuvm import ConfigDB, uvm_analysis_port, uvm_driver

from sequences.program_item import ProgramItem
from verif.bfm.bfm import ProgramBfm


class ProgramDriver(uvm_driver):
    """Announces each program on `sent` as (run, item), runs it, and fills in the item's result."""

    def build_phase(self) -> None:
        """Make the port."""
        self.sent = uvm_analysis_port("sent", self)

    def start_of_simulation_phase(self) -> None:
        """Find the BFM."""
        self.bfm: ProgramBfm = ConfigDB().get(self, "", "BFM")

    async def run_phase(self) -> None:
        """Serve the sequencer for ever. What goes wrong, a HangError say, travels back with the item."""
        while True:
            item: ProgramItem = await self.seq_item_port.get_next_item()
            try:
                await self.drive(item)
            except Exception as error:
                item.failure = error
            self.seq_item_port.item_done()

    async def drive(self, item: ProgramItem) -> None:
        """Run one item's program."""
        self.sent.write((self.bfm.next_run, item))
        item.result = (await self.bfm.run(item.program(), item.stimulus, trace=item.traced)).result
