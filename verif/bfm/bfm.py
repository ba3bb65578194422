"""The bus functional model: the one place that touches the simulator.

Python wakes once a program: it loads the memories, changes `run_id`, sleeps until the harness answers, and
reads everything back.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import cocotb
import numpy as np
from cocotb.triggers import RisingEdge

from refmodel.errors import Ga2Error
from refmodel.isa.limits import EXT_ADDRESS_WORDS, IMEM_WORDS, SCRATCHPAD_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.result import Counters, RunResult, WordArray
from sequences.run_plan import plan_run
from sequences.stimulus import PLAIN, Stimulus
from sequences.timed_program import timed_program
from verif.bfm import harness
from verif.bfm.check import Check
from verif.bfm.chip_rule import ChipRule
from verif.bfm.harness import CheckReport
from verif.bfm.memory_backdoor import BackdoorError, MemoryBackdoor
from verif.bfm.observation import Observation, ObservedAccesses
from verif.bfm.retire_log import RetireLog
from verif.trace.recorded_trace import RecordedTrace
from verif.trace.trace_reader import TraceReader
from verif.waves.window import WaveWindow

SCRATCHPAD_VARIABLE = "GA2_SCRATCHPAD"
"""Environment variable with the scratchpad's path below the harness's `dut`; sim.mk sets it."""

PATIENCE, GRACE_CYCLES = 4, 10_000
"""A program counts as hung after this many times what it should take, and some cycles more."""

_ALL_DEFINED = np.ones(SCRATCHPAD_WORDS, np.bool_)
_ALL_DEFINED.flags.writeable = False


class HangError(Ga2Error):
    """The chip did not halt before the watchdog expired."""

    def __init__(self, message: str, checks: CheckReport) -> None:
        """`checks`: what the harness's checks found up to then."""
        super().__init__(message)
        self.checks = checks


class ProgramBfm:
    """Runs programs on the RTL. One instance per test; one program at a time."""

    def __init__(self, top: Any) -> None:
        """Open every memory and signal. `top` is cocotb's handle of the harness. Raises BackdoorError."""
        self.top = top
        self._done = top.done_id
        self._imem = MemoryBackdoor.array(harness.IMEM, IMEM_WORDS)
        self._ext = MemoryBackdoor.array(harness.EXT, EXT_ADDRESS_WORDS)
        self._scratchpad = open_scratchpad()
        self._log = MemoryBackdoor.array(harness.RETIRE_LOG, harness.RETIRE_LOG_ENTRIES)
        self._checks = [
            MemoryBackdoor.array(path, len(Check))
            for path in (harness.N_CHECKED, harness.N_FAILED, harness.FIRST_FAILURE)
        ]
        self._chip_rules = _open_chip_rules()
        self._met = MemoryBackdoor.array(harness.MET, harness.MET_ELEMENTS)
        self._settings = MemoryBackdoor.signals([f"{harness.TOP}.{name}" for name in harness.SETTINGS])
        outcome = harness.OUTCOME + harness.OUTPUTS
        self._outcome = MemoryBackdoor.signals([f"{harness.TOP}.{name}" for name in outcome])
        self._image: WordArray = np.zeros(EXT_ADDRESS_WORDS, np.uint32)
        self._run_id = 0
        self._starts = 0
        self._outside = (0, 0)
        self._code: tuple[int, ...] | None = None
        self._code_read_back: tuple[bytes, int] | None = None
        self._ext_contents: WordArray | None = None
        self._must_reset = False
        self.recorded: RecordedTrace | None = None
        """The trace of the last run that was to be traced."""
        self.window: WaveWindow | None = None
        """What is to be dumped of runs that are traced."""
        self.listeners: list[Callable[[int, Observation], None]] = []
        """Called with the number of each run that has ended and what was seen of it."""

    @cached_property
    def _trace_reader(self) -> TraceReader:
        return TraceReader(self.top)

    @property
    def next_run(self) -> int:
        """The number of the run that `run` will start next."""
        return self._run_id + 1

    async def power_up(self) -> None:
        """Wait until the harness is at rest, and go on from its counts.

        At first it initializes its registers and resets the chip. An earlier test of the same simulation may
        have left a program that still runs, or one that hung.
        """
        for _ in range(2):
            await RisingEdge(self.top.clk)
        self._run_id = int(self._settings.read()[0][harness.SETTINGS.index("run_id")])
        while int(self._done.value) != self._run_id:
            await self._done.value_change
        hung, _, self._starts, _, _, *outside = self._outcome.read()[0].tolist()
        self._outside = (outside[0], outside[1])
        self._must_reset = bool(hung)

    async def run(self, bundle: Bundle, stimulus: Stimulus = PLAIN, *, trace: bool = False) -> Observation:
        """Load a program, run it to its end and read everything back; the bench has powered up.

        With `trace` every event of the run is kept too, as `recorded`. Raises HangError when the watchdog
        expires; the next run then begins with a reset.
        """
        self._load(bundle)
        collecting = cocotb.start_soon(self._trace_reader.collect()) if trace else None
        if trace and self.window is not None:
            _choose_window(self.window)
        self._start(bundle, stimulus, trace)
        await self._done.value_change
        if collecting is not None:
            collecting.cancel()
            self.recorded = self._trace_reader.finish()
        observation = self._collect(bundle, stimulus)
        for listener in self.listeners:
            listener(self._run_id, observation)
        return observation

    def read_code(self) -> tuple[bytes, int]:
        """Return the instruction memory as the harness holds it, and how many words the chip was shown.

        16 bytes a word, lowest first; beyond those words the chip reads 0. Call when a run has ended.
        """
        if self._code_read_back is None:
            words = int(self._settings.read()[0][harness.SETTINGS.index("cfg_code_words")])
            self._code_read_back = self._imem.read(words)[0].tobytes(), words
        return self._code_read_back

    def read_met(self) -> tuple[int, int, int]:
        """Return the situations in which start, rst and responses to nothing came in the run that has ended.

        A bit each.
        """
        words = self._met.read()[0].tolist()
        return words[0] | words[1] << 32, words[2] | words[3] << 32, words[4] | words[5] << 32

    def read_settings(self, *names: str) -> list[int]:
        """Return registers of the harness by their names in `harness.SETTINGS`, as the last run had them."""
        values = self._settings.read()[0].tolist()
        return [values[harness.SETTINGS.index(name)] for name in names]

    def _load(self, bundle: Bundle) -> None:
        """Fill the memories; an unchanged program is not written again."""
        if bundle.code is not self._code:
            self._imem.write(_code_words(bundle.code))
            self._code = bundle.code
            self._code_read_back = None
        image = self._image[: bundle.ext_words]
        image[: len(bundle.ext)] = bundle.ext
        image[len(bundle.ext) :] = 0
        self._ext.update(image, self._ext_contents)
        self._ext_contents = None
        if bundle.scratchpad is not None:
            preset = np.zeros(SCRATCHPAD_WORDS, np.uint32)
            preset[: len(bundle.scratchpad)] = bundle.scratchpad
            self._scratchpad.write(preset)

    def _start(self, bundle: Bundle, stimulus: Stimulus, trace: bool) -> None:
        """Write the settings; the last of them, `run_id`, starts the run."""
        self._run_id += 1
        first_start, last_start = stimulus.extra_start or (0, 0)
        settings = (
            len(bundle.code),
            bundle.ext_words,
            bundle.read_latency,
            _cycle_limit(bundle, stimulus),
            stimulus.reset_first or self._must_reset,
            stimulus.reset_cycle or 0,
            stimulus.reset_width,
            stimulus.reset_gap,
            first_start,
            last_start,
            stimulus.idle_cycles,
            stimulus.stray_responses,
            stimulus.response_delays is not None,
            trace,
            _garbage_seed(bundle.code),
            self._run_id,
        )
        self._settings.write(np.array(settings, np.uint32))

    def _collect(self, bundle: Bundle, stimulus: Stimulus) -> Observation:
        values, unknown = self._outcome.read()
        hung, was_reset, starts, completed, pass_first, *outside = values[:7].tolist()
        sees_writes, sees_reads, pc, *outputs = values[7:].tolist()
        reset_after_hang, self._must_reset = self._must_reset, bool(hung)
        starts, self._starts = starts - self._starts, starts
        reads, writes = (now - before for now, before in zip(outside, self._outside, strict=True))
        self._outside = (outside[0], outside[1])
        if hung:
            raise HangError(
                f"the chip did not halt: pc {pc}, {completed - pass_first} instructions completed, "
                f"cyc_total {outputs[2]}; is the RTL stuck, or the program longer than the cycle limit?",
                self._read_checks(),
            )
        halted, fault, *counters = outputs
        ext, ext_unknown = self._ext.read(bundle.ext_words)
        if ext_unknown is None:
            self._ext_contents = ext
        scratchpad, scratchpad_unknown = self._scratchpad.read()
        log = RetireLog(*self._log.read(min(completed, harness.RETIRE_LOG_ENTRIES)))
        accesses = ObservedAccesses(
            log.accesses(), completed, reads, writes, bool(sees_writes), bool(sees_reads)
        )
        result = RunResult(
            halted=bool(halted),
            fault=bool(fault),
            counters=Counters(*counters),
            ext=ext,
            scratchpad=scratchpad,
            defined=_ALL_DEFINED if scratchpad_unknown is None else scratchpad_unknown == 0,
            retires=log.retires(pass_first),
            ext_defined=None if ext_unknown is None else ext_unknown == 0,
        )
        return Observation(
            result,
            accesses,
            self._read_checks(),
            starts,
            bool(was_reset),
            stimulus.cycles_of_reset if reset_after_hang and not stimulus.reset_first else 0,
            _unknown_outputs(unknown),
        )

    def _read_checks(self) -> CheckReport:
        checked, failed, first_failure = (check.read()[0] for check in self._checks)
        return CheckReport(checked, failed, first_failure, self._read_chip_rules())

    def _read_chip_rules(self) -> dict[ChipRule, tuple[int, int]]:
        """Return the rules that the chip broke since the last run, and clear them."""
        if self._chip_rules is None:
            return {}
        counts, first = (each.read()[0].tolist() for each in self._chip_rules)
        if any(counts):
            self._chip_rules[0].write(np.zeros(len(ChipRule), np.uint32))
        return {rule: (counts[rule], first[rule]) for rule in ChipRule if counts[rule]}


def _open_chip_rules() -> tuple[MemoryBackdoor, MemoryBackdoor] | None:
    """Open how often and when first the chip broke rules of its own; None for RTL that has none."""
    try:
        return (
            MemoryBackdoor.array(harness.N_BROKEN, len(ChipRule)),
            MemoryBackdoor.array(harness.FIRST_BROKEN, len(ChipRule)),
        )
    except BackdoorError:
        return None


def _choose_window(window: WaveWindow) -> None:
    """Tell the harness what to dump of the next run."""
    settings = MemoryBackdoor.signals([f"{harness.TOP}.{name}" for name in harness.WAVE_SETTINGS])
    settings.write(np.array([window.start, window.first, window.last], np.uint32))
    words = np.zeros(harness.MIRRORED_WORD_COUNT, np.uint32)
    words[: len(window.words)] = window.words
    with contextlib.suppress(BackdoorError):  # RTL of the user's own has no mirrors
        MemoryBackdoor.array(harness.MIRRORED_WORDS, harness.MIRRORED_WORD_COUNT).write(words)


def _cycle_limit(bundle: Bundle, stimulus: Stimulus) -> int:
    """Return when the watchdog expires: soon enough that a stuck chip does not keep anybody waiting."""
    if stimulus.cycle_limit is not None:
        return stimulus.cycle_limit
    cycles = timed_program(bundle.code, bundle.read_latency, stimulus).counters.cyc_total
    cycles *= plan_run(cycles, stimulus).starts
    cycles += stimulus.reset_gap + (stimulus.extra_start or (0, 0))[1]
    return PATIENCE * cycles + GRACE_CYCLES


def open_scratchpad() -> MemoryBackdoor:
    """Open the chip's scratchpad, wherever the RTL's author put it. Raises BackdoorError."""
    path = os.environ.get(SCRATCHPAD_VARIABLE, "u_scratchpad.mem")
    try:
        return MemoryBackdoor.array(f"{harness.TOP}.dut.{path}", SCRATCHPAD_WORDS)
    except BackdoorError as error:
        raise BackdoorError(
            f"no scratchpad of {SCRATCHPAD_WORDS} 32-bit words at {harness.TOP}.dut.{path}: with RTL of your "
            "own set SCRATCHPAD to its array's path below ga2"
        ) from error


def _unknown_outputs(unknown: WordArray | None) -> tuple[str, ...]:
    if unknown is None:
        return ()
    ports = unknown[len(harness.OUTCOME) :]
    return tuple(name for name, bits in zip(harness.OUTPUTS, ports, strict=True) if bits)


@lru_cache(maxsize=512)
def _garbage_seed(code: tuple[int, ...]) -> int:
    """Return the seed of the garbage on data ports: a program meets the same whenever it runs again."""
    return zlib.crc32(_code_words(code).tobytes()) or 1


@lru_cache(maxsize=512)
def _code_words(code: tuple[int, ...]) -> WordArray:
    """Return instruction words as four 32-bit words each, lowest first."""
    image = b"".join(word.to_bytes(16, "little") for word in code)
    return np.frombuffer(image, np.uint32)
