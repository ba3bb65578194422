"""The names of the harness (hdl/tb): its registers, memories and checks, as Python sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from verif.bfm.check import Check
from verif.bfm.chip_rule import ChipRule

TOP = "ga2_tb"

IMEM = f"{TOP}.u_program.words"
EXT = f"{TOP}.u_memory.words"
RETIRE_LOG = f"{TOP}.u_log.entries"
RETIRE_LOG_ENTRIES = 65536
"""Of a run, passes after each other; what completes later is counted alone."""
TRACE = f"{TOP}.u_trace.entries"
TRACE_ENTRIES = 4096
N_CHECKED = f"{TOP}.u_protocol.u_counts.n_checked"
N_FAILED = f"{TOP}.u_protocol.u_counts.n_failed"
FIRST_FAILURE = f"{TOP}.u_protocol.u_counts.first_failure"
N_BROKEN = f"{TOP}.dut.u_invariants.n_broken"
FIRST_BROKEN = f"{TOP}.dut.u_invariants.first_broken"
"""Both by `ChipRule`; not there in RTL of the user's own."""
MET = f"{TOP}.u_run.met"
"""Situations in which start, rst and responses to nothing came in a run: three elements of 64 bits
(ga2_tb_run_control)."""
MET_ELEMENTS = 3

CLOCK_PERIOD_NS = 10

SETTINGS = (
    "cfg_code_words",
    "cfg_ext_words",
    "cfg_latency",
    "cfg_cycle_limit",
    "cfg_reset_first",
    "cfg_reset_cycle",
    "cfg_reset_width",
    "cfg_reset_gap",
    "cfg_start_from",
    "cfg_start_to",
    "cfg_idle_cycles",
    "cfg_strays",
    "cfg_bus_mode",
    "cfg_trace",
    "cfg_garbage_seed",
    "run_id",
)
"""Written in this order: a new `run_id`, last, starts the run."""

WAVE_SETTINGS = ("cfg_wave_pass", "cfg_wave_first", "cfg_wave_last")
"""The window whose waves are dumped."""

MIRRORED_WORDS = f"{TOP}.u_mirrors.cfg_address"
MIRRORED_WORD_COUNT = 16
"""The scratchpad words that it mirrors; not there where the harness was built without mirrors."""

OUTCOME = (
    "hung",
    "was_reset",
    "starts",
    "retire_count",
    "pass_first",
    "outside_reads",
    "outside_writes",
    "sees_writes",
    "sees_reads",
    "imem_addr",
)
OUTPUTS = ("halted", "fault", "cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst")
"""Ports of the chip that a result holds."""


class TraceKind(IntEnum):
    """Events of the trace, numbered as in hdl/tb/ga2_tb_pkg.sv, which says what each means."""

    START = 0
    RETIRE = 1
    END = 2
    SCRATCHPAD = 3
    EXT = 4
    REQUEST = 5


@dataclass(frozen=True, eq=False)
class CheckReport:
    """What the harness's checks found in one run; each array is indexed by `Check`."""

    checked: NDArray[np.uint32]
    """How often the check looked."""
    failed: NDArray[np.uint32]
    """How often it found something wrong."""
    first_failure: NDArray[np.uint32]
    """The first cycle in which it did, FETCH of pc 0 being 1; meaningless where nothing failed."""
    chip_rules: Mapping[ChipRule, tuple[int, int]] = field(default_factory=dict)
    """The rules of its own that the chip broke: how often, and in which cycle first."""

    def broken(self) -> Iterator[tuple[Check | ChipRule, int, int]]:
        """Yield all that failed, with how often and the first cycle."""
        for check in map(Check, np.flatnonzero(self.failed).tolist()):
            yield check, int(self.failed[check]), int(self.first_failure[check])
        for rule, (count, cycle) in self.chip_rules.items():
            yield rule, count, cycle
