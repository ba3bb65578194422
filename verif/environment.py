"""The environment: program agent, memory agent and scoreboard, connected."""

from __future__ import annotations

from pyuvm import uvm_env, uvm_sequencer

from verif.coverage.collector import CoverageCollector
from verif.memory_agent.agent import MemoryAgent
from verif.program_agent.agent import ProgramAgent
from verif.scoreboard.scoreboard import Scoreboard


class Environment(uvm_env):
    """All of the bench above the BFM; every part is made by the factory."""

    collects_coverage = False
    """Set before its build phase by a test that was asked for coverage."""

    def build_phase(self) -> None:
        """Make the parts; `coverage` is None unless coverage was asked for."""
        self.programs = ProgramAgent.create("programs", self)
        self.memory = MemoryAgent.create("memory", self)
        self.scoreboard = Scoreboard.create("scoreboard", self)
        self.coverage: CoverageCollector | None = None
        if self.collects_coverage:
            self.coverage = CoverageCollector.create("coverage", self)

    def connect_phase(self) -> None:
        """The memory agent hears of a program before the scoreboard, so that it is ready for its reads."""
        self.programs.driver.sent.connect(self.memory.sent)
        self.programs.driver.sent.connect(self.scoreboard.sent)
        self.programs.monitor.observed.connect(self.scoreboard.observed)
        self.memory.traffic.connect(self.scoreboard.traffic)
        if self.coverage is not None:
            self.scoreboard.judged.connect(self.coverage.analysis_export)

    @property
    def sequencer(self) -> uvm_sequencer:
        """Where sequences start."""
        return self.programs.sequencer
