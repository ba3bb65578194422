"""What happens at the chip's pins while a program runs: resets, extra starts, read delays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import ConfigDict, with_config

DelayPattern = Literal[
    "random", "shortest", "longest", "alternating", "long-first", "long-last", "bursts"
]  # fmt: skip
"""How delays follow each other: `sequences/response_timing.py` says what each means."""

DELAY_PATTERNS: tuple[DelayPattern, ...] = get_args(DelayPattern)


MAX_RESET_WIDTH = 8
MAX_IDLE_CYCLES = 0xFFFF


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True)
class ResponseDelays:
    """Delays of read responses, kept by the memory agent instead of a fixed latency.

    Responses stay in order, at most one a cycle, so a long delay holds up those behind it.
    """

    seed: int
    longest: int
    """A response comes after `shortest`..`longest` cycles, or as soon as those before it are through."""
    shortest: int = 1
    pattern: DelayPattern = "random"


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True)
class Stimulus:
    """The environment of one run. Cycles count as in the model: start is high in 0, FETCH of pc 0 is 1."""

    reset_first: bool = False
    """rst before start."""
    reset_cycle: int | None = None
    """rst is high from this cycle on; None, or a cycle after the end: no reset. The run ends there unless a
    start is to come."""
    reset_width: int = 1
    """Cycles in which rst is high, each time."""
    reset_gap: int = 0
    """So many cycles after either rst it comes once more; 0: it does not."""
    extra_start: tuple[int, int] | None = None
    """start is also high from the first of these cycles to the last. It is lost while the program runs;
    where it meets the halted or the reset chip the program runs again, and the run lasts until the last has
    halted."""
    response_delays: ResponseDelays | None = None
    """Reads are answered by a bus driver; wakes Python every cycle, so for short programs only."""
    stray_responses: int = 0
    """Seed of responses that answer no request, in about every fourth cycle that the chip must ignore them
    in; 0: none."""
    idle_cycles: int = 0
    """Cycles that the chip is watched for after the end, beyond the usual two."""
    cycle_limit: int | None = None
    """The watchdog; None: the bench's own."""

    def __post_init__(self) -> None:
        """Refuse what the harness could not do."""
        assert self.reset_cycle is None or self.reset_cycle >= 1, "the first cycle is 1"
        assert 1 <= self.reset_width <= MAX_RESET_WIDTH, f"rst lasts 1..{MAX_RESET_WIDTH} cycles"
        assert 0 <= self.reset_gap <= MAX_IDLE_CYCLES, f"a gap has at most {MAX_IDLE_CYCLES} cycles"
        assert 0 <= self.idle_cycles <= MAX_IDLE_CYCLES, f"at most {MAX_IDLE_CYCLES} idle cycles are watched"
        assert 0 <= self.stray_responses < 1 << 32, "a seed of stray responses has 32 bits"
        if self.extra_start is not None:
            first, last = self.extra_start
            assert 1 <= first <= last, "extra starts run from a first cycle, at least 1, to a last"
        if self.response_delays is not None:
            assert 1 <= self.response_delays.shortest <= self.response_delays.longest, "delays are a range"
            assert self.response_delays.pattern in DELAY_PATTERNS, f"patterns are {', '.join(DELAY_PATTERNS)}"

    @property
    def cycles_of_reset(self) -> int:
        """In how many cycles rst is high, each time that it comes."""
        return self.reset_width * (2 if self.reset_gap else 1)


PLAIN = Stimulus()
"""Start it and let it run."""
