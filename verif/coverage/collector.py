"""The coverage collector: counts every program that the scoreboard passed."""

from __future__ import annotations

from pyuvm import ConfigDB, uvm_subscriber

from verif.bfm.bfm import ProgramBfm
from verif.bfm.harness import RETIRE_LOG_ENTRIES
from verif.bfm.observation import Observation
from verif.coverage.executed_program import WORD_BYTES, End, executed_program
from verif.coverage.loop_record import LoopRecord
from verif.coverage.model import load_model
from verif.coverage.passed_program import PassedProgram
from verif.coverage.samplers.interruptions import cut_of
from verif.coverage.schedule import UNDISTURBED, Cut, Schedule, Surroundings
from verif.coverage.tally import Tally
from verif.scoreboard.judged_run import JudgedRun

HONOURED_BITS = 3
"""The lowest bits of `met_start`, for states in which start is honoured."""


class CoverageCollector(uvm_subscriber):
    """Takes judged runs on `analysis_export`; what failed is not looked at.

    Of the item it takes only its name and its bundle's source map. Everything else is read back from the RTL:
    instruction memory, retire log, both data memories, and the states in which start and rst came.
    """

    def build_phase(self) -> None:
        """Load the model."""
        self.tally: Tally = Tally(load_model())
        self._cut: Cut | None = None

    def start_of_simulation_phase(self) -> None:
        """Find the BFM."""
        self.bfm: ProgramBfm = ConfigDB().get(self, "", "BFM")

    def write(self, judged: JudgedRun) -> None:
        """Count a run whose retire log is whole."""
        cut, self._cut = self._cut, None
        if judged.passed and judged.found.accesses.completed_count <= RETIRE_LOG_ENTRIES:
            seen = self._seen(judged, cut)
            self._cut = cut_of(seen)
            self.tally.program(judged.item.get_name(), seen)

    def loop_ended(self, name: str, loop: LoopRecord) -> None:
        """Count a decoding; the caller has seen that it is complete."""
        self.tally.loop(name, loop)

    def _seen(self, judged: JudgedRun, cut: Cut | None) -> PassedProgram:
        found = judged.found
        result = found.result
        met_start, met_reset, met_stray = self.bfm.read_met()
        around, latency = self._surroundings(found)
        fetched = len(result.retires) + 1
        code, code_words = self.bfm.read_code()
        size = fetched * WORD_BYTES
        executed = executed_program(
            code[:size].ljust(size, b"\0"),
            result.retires.tobytes(),
            _end(found),
            fetched > code_words,
            len(result.ext),
        )
        return PassedProgram(
            executed=executed,
            scratchpad=result.scratchpad,
            scratchpad_known=judged.scratchpad_compared,
            ext=result.ext,
            ext_known=judged.ext_compared,
            met_start=met_start,
            met_reset=met_reset,
            passes=found.starts,
            traffic=judged.traffic,
            source_map=judged.item.program().source_map,
            schedule=_schedule(around, latency, met_start),
            after=cut,
            met_stray=met_stray,
            surroundings=around,
        )

    def _surroundings(self, found: Observation) -> tuple[Surroundings, int]:
        """Read back what the harness did around the run, and the latency of reads that it answered itself."""
        first, cycle, width, gap, start, last, rest, driven, latency = self.bfm.read_settings(
            "cfg_reset_first",
            "cfg_reset_cycle",
            "cfg_reset_width",
            "cfg_reset_gap",
            "cfg_start_from",
            "cfg_start_to",
            "cfg_idle_cycles",
            "cfg_bus_mode",
            "cfg_latency",
        )
        around = Surroundings(
            reset_first=bool(first),
            reset_cycle=cycle if found.was_reset else None,
            reset_width=width,
            reset_gap=gap,
            start=(start, last) if last else None,
            rest=rest,
            driven=bool(driven),
        )
        return around, latency


def _schedule(around: Surroundings, latency: int, met_start: int) -> Schedule:
    """Return the schedule of a run where something came while the program ran."""
    lost = bool(met_start >> HONOURED_BITS)
    if around.reset_cycle is None and not lost:
        return UNDISTURBED
    return Schedule(
        reset=around.reset_cycle,
        start=around.start if lost else None,
        latency=None if around.driven else latency,
    )


def _end(found: Observation) -> End:
    if found.was_reset:
        return End.RESET
    return End.FAULT if found.result.fault else End.HALT
