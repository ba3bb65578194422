"""What may happen around a program, several things at once.

Wide and repeated resets with start under them and in the cycle after, responses that answer nothing, delays
with resets and starts, long halts and long idling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from refmodel.isa.encoding import encode
from refmodel.isa.instructions import Illegal, Instruction, Load, Store
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from sequences.directed.directed_program import (
    DirectedProgram,
    bundle_of,
    full_scratchpad,
    random_words,
    tour,
)
from sequences.directed.resets import BEFORE, UNDER_RESET
from sequences.stimulus import DELAY_PATTERNS, MAX_RESET_WIDTH, ResponseDelays, Stimulus

LONG_REST = 4200
"""Cycles of doing nothing; a timer of twelve bits would have run out."""

WIDTHS = (1, 4, MAX_RESET_WIDTH)
GAPS = (1, 9, 100, 600)
RESTS = (7, 600, 2000)

READS: tuple[Instruction, ...] = (Load(0, 0, 9), Store(0, 40, 9), Load(20, 38, 30), Store(20, 60, 30))


def surroundings_programs(seed: int) -> Iterator[DirectedProgram]:
    """Yield them, each group of situations ended by a good program without any."""
    generator = np.random.default_rng([seed, 30])
    for make in (_stray_responses, _wide_resets, _delayed_and_cut, _long_rests, _at_resets, _rests):
        for name, bundle, stimulus in make(generator):
            yield DirectedProgram(f"surroundings/{name}", bundle, stimulus)
        yield DirectedProgram(f"surroundings/good-after{make.__name__.replace('_', '-')}", tour(generator))


_Surrounded = Iterator[tuple[str, Bundle, Stimulus]]


def _stray_responses(generator: np.random.Generator) -> _Surrounded:
    """Responses with none outstanding: in idle, FETCH, ISSUE, busy cycles of other units, and halted."""
    good = tour(generator)
    for number in range(3):
        yield f"stray-{number}", good, Stimulus(stray_responses=_seed(generator))
    loads = bundle_of(READS, ext=random_words(generator, 80), scratchpad=full_scratchpad(generator))
    for latency in (1, 8):
        bundle = replace(loads, read_latency=latency)
        yield f"stray-loads-{latency}", bundle, Stimulus(stray_responses=_seed(generator))
    yield "stray-halted", loads, Stimulus(stray_responses=_seed(generator), idle_cycles=60)
    yield "stray-fault", _faulty(good), Stimulus(stray_responses=_seed(generator), idle_cycles=60)
    faults = bundle_of([Illegal(9)])
    yield "stray-faults", faults, Stimulus(stray_responses=1, extra_start=(1, 120))
    idle = Stimulus(reset_first=True, reset_width=4, reset_gap=40, stray_responses=_seed(generator))
    yield "stray-idle", loads, idle
    delays = ResponseDelays(_seed(generator), 12)
    strays = Stimulus(response_delays=delays, stray_responses=_seed(generator), idle_cycles=20)
    yield "stray-delayed", loads, strays
    again = Stimulus(stray_responses=_seed(generator), reset_cycle=20, extra_start=(21, 21))
    yield "stray-around-rst", loads, again


def _wide_resets(generator: np.random.Generator) -> _Surrounded:
    """Every unit is cut by a reset of each width, with start high under it and in the cycle after."""
    width = 0
    for unit, instruction in UNDER_RESET.items():
        bundle = bundle_of(
            [BEFORE, instruction], ext=random_words(generator, 64), scratchpad=full_scratchpad(generator)
        )
        end = decode_program(bundle.code, bundle.read_latency).counters.cyc_total
        for _ in range(2):
            width = width % MAX_RESET_WIDTH + 1
            cycle = int(generator.integers(16, end - 2))
            held = (cycle, cycle + width)
            yield (
                f"{unit}-rst-{width}-held",
                bundle,
                Stimulus(reset_cycle=cycle, reset_width=width, extra_start=held),
            )
            after = (cycle + width, cycle + width)
            yield (
                f"{unit}-rst-{width}-start-after",
                bundle,
                Stimulus(reset_cycle=cycle, reset_width=width, extra_start=after),
            )
        gap = int(generator.integers(1, 20))
        twice = Stimulus(reset_cycle=cycle, reset_width=width, reset_gap=gap)
        yield f"{unit}-twice", bundle, twice
        started = replace(twice, extra_start=(cycle, cycle + 2 * width + gap))
        yield f"{unit}-twice-held", bundle, started
    good = tour(generator)
    for width in range(1, MAX_RESET_WIDTH + 1):
        yield f"first-{width}", good, Stimulus(reset_first=True, reset_width=width)
        yield f"first-{width}-twice", good, Stimulus(reset_first=True, reset_width=width, reset_gap=width)


def _delayed_and_cut(generator: np.random.Generator) -> _Surrounded:
    """Delayed and gapped responses with resets while reads are outstanding, and with starts."""
    bundle = bundle_of(READS, ext=random_words(generator, 80), scratchpad=full_scratchpad(generator))
    for pattern in DELAY_PATTERNS:
        delays = ResponseDelays(_seed(generator), 25, 2, pattern)
        cycle = int(generator.integers(4, 90))
        width = int(generator.integers(1, MAX_RESET_WIDTH + 1))
        cut = Stimulus(reset_cycle=cycle, reset_width=width, response_delays=delays)
        yield f"{pattern}-cut", bundle, cut
        yield f"{pattern}-restarted", bundle, replace(cut, extra_start=(cycle - 2, cycle + width))
        yield f"{pattern}-held", bundle, Stimulus(extra_start=(1, 300), response_delays=delays)
        yield f"{pattern}-plain-after", bundle, Stimulus()
    all_out = ResponseDelays(_seed(generator), 60, 60, "longest")
    for cycle in (5, 30, 70):
        cut = Stimulus(reset_cycle=cycle, extra_start=(cycle + 1, cycle + 1), response_delays=all_out)
        yield f"all-outstanding-{cycle}", bundle, cut


def _long_rests(generator: np.random.Generator) -> _Surrounded:
    """Halted, halted by a fault and idle for hundreds of cycles."""
    good = tour(generator)
    rest = Stimulus(idle_cycles=LONG_REST)
    yield "halted-long", good, rest
    yield "start-after-long-halt", replace(good, scratchpad=None), Stimulus(idle_cycles=3)
    yield "fault-long", _faulty(good), rest
    yield "idle-long", good, Stimulus(reset_cycle=50, idle_cycles=LONG_REST)
    yield "start-after-long-idle", good, Stimulus()
    end = decode_program(good.code, good.read_latency).counters.cyc_total
    yield "restarted-after-long-halt", good, Stimulus(extra_start=(end + LONG_REST, end + LONG_REST))
    yield "reset-after-long-halt", good, Stimulus(reset_first=True)


def _at_resets(generator: np.random.Generator) -> _Surrounded:
    """start that ends under rst, goes on or begins in the cycle after, and rst twice, near and far apart."""
    good = tour(generator)
    for width in WIDTHS:
        cycle, after = 20, 20 + width
        for name, start in (
            ("ends", (5, after - 1)),
            ("goes-on", (after - 1, after)),
            ("after", (after, after)),
        ):
            reset = Stimulus(reset_cycle=cycle, reset_width=width, extra_start=start)
            yield f"start-{name}-rst-{width}", good, reset
    for width in WIDTHS:
        for gap in GAPS:
            twice = Stimulus(reset_width=width, reset_gap=gap)
            yield f"rst-{width}-gap-{gap}-first", good, replace(twice, reset_first=True)
            yield f"rst-{width}-gap-{gap}", good, replace(twice, reset_cycle=20)


def _rests(generator: np.random.Generator) -> _Surrounded:
    """Short and longer rests after every end."""
    good = tour(generator)
    for cycles in RESTS:
        yield f"rest-{cycles}-halted", good, Stimulus(idle_cycles=cycles)
        yield f"rest-{cycles}-fault", _faulty(good), Stimulus(idle_cycles=cycles)
        yield f"rest-{cycles}-idle", good, Stimulus(reset_cycle=50, idle_cycles=cycles)


def _faulty(good: Bundle) -> Bundle:
    return replace(good, code=(*good.code[:3], encode(Illegal(9))))


def _seed(generator: np.random.Generator) -> int:
    return int(generator.integers(1, 1 << 31))
