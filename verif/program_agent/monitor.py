"""The monitor: publishes what the BFM saw of each run, whoever started it."""

from __future__ import annotations

from pyuvm import ConfigDB, uvm_analysis_port, uvm_monitor

from verif.bfm.bfm import ProgramBfm
from verif.bfm.observation import Observation


class ProgramMonitor(uvm_monitor):
    """Publishes every run on `observed` as (run, observation)."""

    def build_phase(self) -> None:
        """Make the port."""
        self.observed = uvm_analysis_port("observed", self)

    def start_of_simulation_phase(self) -> None:
        """Listen to the BFM."""
        bfm: ProgramBfm = ConfigDB().get(self, "", "BFM")
        bfm.listeners.append(self.publish)

    def publish(self, run: int, observation: Observation) -> None:
        """Pass one run on."""
        self.observed.write((run, observation))
