"""A wave dump read back: what each signal was in each cycle of its window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pywellen

from refmodel.errors import Ga2Error
from verif.bfm import harness
from verif.waves.window import WaveWindow

SETTLE_TIME_NS = 1
"""From the clock edge to the samples that the harness takes (hdl/tb/ga2_tb_waves.sv)."""

CYCLE = f"{harness.TOP}.u_waves.cycle"
"""The cycle's number, which changes with those samples."""


class WaveError(Ga2Error):
    """A wave dump cannot be used."""


@dataclass(frozen=True)
class Value:
    """What a signal was in one cycle."""

    bits: int
    """Unsigned; 0 where unknown."""
    unknown: int
    """Bits that are X or Z."""
    width: int

    @property
    def known(self) -> bool:
        """Is every bit 0 or 1?"""
        return not self.unknown

    @property
    def signed(self) -> int:
        """The bits as a two's complement number."""
        half = 1 << (self.width - 1)
        return (self.bits ^ half) - half


class WaveDump:
    """One FST file."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises WaveError, with one line, when there is none or it is damaged."""
        self.path = path
        if not path.is_file():
            raise WaveError(f"{path}: no such file")
        try:
            waveform = pywellen.Waveform(str(path))
            self._signals: Mapping[str, Any] = {
                variable.full_name: variable for variable in waveform.all_vars()
            }
            self._cycle_changes = list(self._signals[CYCLE].tv) if CYCLE in self._signals else []
        except BaseException as error:
            # Its reader is written in Rust: a panic there is raised as no Exception, under a name of its own.
            if not isinstance(error, RuntimeError) and type(error).__name__ != "PanicException":
                raise
            what = " ".join(str(error).split())
            raise WaveError(
                f"{path} is not a whole FST file ({what}): a simulation that was killed, or a full disk, "
                "leaves such a file; run it again"
            ) from error
        # A tick is a picosecond, or shorter if the RTL keeps time more precisely.
        scale = waveform.timescale
        ticks = 10 ** (-9 - scale.unit.to_exponent()) // scale.factor
        self.period = harness.CLOCK_PERIOD_NS * ticks
        """Ticks of a cycle."""
        self.settle_time = SETTLE_TIME_NS * ticks

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The full names of all signals, in order of their scopes."""
        return tuple(sorted(self._signals))

    def cycles(self, window: WaveWindow) -> dict[int, int]:
        """Return the cycles of a window that the dump holds, each with the tick of its first clock edge."""
        return {
            cycle: tick - self.settle_time
            for tick, cycle in self._cycle_changes
            if isinstance(cycle, int) and window.first <= cycle <= window.last
        }

    def values(self, name: str, edges: Iterable[int]) -> list[Value] | None:
        """Return what a signal was in each cycle that begins at one of the edges; None if it is not there."""
        if name not in self._signals:
            return None
        variable = self._signals[name]
        signal, width = variable.signal, int(variable.bitwidth or 1)
        return [_value(signal.value_at(edge + self.period - self.settle_time), width) for edge in edges]


def _value(raw: int | str | None, width: int) -> Value:
    """Return a value as pywellen gives it: a number, or a string of bits if some are unknown."""
    if isinstance(raw, int):
        return Value(raw, 0, width)
    digits = raw or "x" * width
    return Value(
        int("".join(digit if digit in "01" else "0" for digit in digits), 2),
        int("".join("0" if digit in "01" else "1" for digit in digits), 2),
        width,
    )
