"""What happens around a program: resets, extra starts, read delays."""

from __future__ import annotations

from dataclasses import replace

from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import StimulusKind
from sequences.random_programs.nominal_cycles import Timetable
from sequences.random_programs.weights import StimulusWeights
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus

LATEST_RESTART = 8
"""Halted cycles before a start, at most."""


def draw_stimulus(draws: Draws, weights: StimulusWeights, timetable: Timetable, *, short: bool) -> Stimulus:
    """Return the stimulus of a program with this timetable, `short` or not."""
    kind = weights.kind.draw(draws)
    nominal = timetable.nominal_total
    if kind is StimulusKind.DELAYS and not (short and nominal <= weights.delayed_cycles):
        return PLAIN
    drawn = _make_stimulus(draws, weights, kind, nominal)
    reset, extra = drawn.reset_cycle, drawn.extra_start
    return replace(
        drawn,
        reset_cycle=None if reset is None else timetable.actual(reset),
        extra_start=None if extra is None else (timetable.actual(extra[0]), timetable.actual(extra[1])),
    )


def _make_stimulus(draws: Draws, weights: StimulusWeights, kind: StimulusKind, cycles: int) -> Stimulus:
    """Return a stimulus of a kind for a program that takes `cycles` cycles.

    The program is halted from cycle `cycles` + 1 on; that is where starts are honoured again.
    """
    halted = cycles + 1
    match kind:
        case StimulusKind.PLAIN:
            return PLAIN
        case StimulusKind.RESET_FIRST:
            return Stimulus(reset_first=True)
        case StimulusKind.RESET:
            return Stimulus(reset_cycle=draws.between(1, halted))
        case StimulusKind.RESET_WITH_START:
            reset = draws.between(1, cycles)
            return Stimulus(reset_cycle=reset, extra_start=(draws.between(1, reset), reset))
        case StimulusKind.START_WHILE_BUSY:
            first = draws.between(1, cycles)
            return Stimulus(extra_start=(first, draws.between(first, cycles)))
        case StimulusKind.RESTART:
            again = halted + draws.below(LATEST_RESTART)
            return Stimulus(extra_start=(again, again))
        case StimulusKind.HELD_START:
            return Stimulus(extra_start=(draws.between(1, cycles), halted + draws.below(2 * halted)))
        case StimulusKind.RESET_IN_RESTART:
            again = halted + draws.below(LATEST_RESTART)
            return Stimulus(extra_start=(again, again), reset_cycle=again + draws.between(1, cycles))
        case StimulusKind.DELAYS:
            longest = weights.longest_delay.draw(draws)
            seed, shortest = draws.seed(), draws.between(1, longest)
            pattern = weights.delay_pattern.draw(draws)
            return Stimulus(response_delays=ResponseDelays(seed, longest, shortest, pattern))
