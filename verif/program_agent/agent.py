"""Sequencer, driver and monitor for programs."""

from __future__ import annotations

from pyuvm import uvm_agent, uvm_sequencer

from verif.program_agent.driver import ProgramDriver
from verif.program_agent.monitor import ProgramMonitor


class ProgramAgent(uvm_agent):
    """Sends programs to the RTL and publishes what became of them."""

    def build_phase(self) -> None:
        """Make the three through the factory, so that a test can replace each."""
        super().build_phase()
        self.sequencer = uvm_sequencer.create("sequencer", self)
        self.driver = ProgramDriver.create("driver", self)
        self.monitor = ProgramMonitor.create("monitor", self)

    def connect_phase(self) -> None:
        """Give the driver its items."""
        self.driver.seq_item_port.connect(self.sequencer.seq_item_export)
