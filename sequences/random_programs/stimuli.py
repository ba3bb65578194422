"""What happens around a program: resets, extra starts, read delays."""

from __future__ import annotations

from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import StimulusKind
from sequences.random_programs.weights import StimulusWeights
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus

LATEST_RESTART = 8
"""Halted cycles before a start, at most."""


def draw_stimulus(draws: Draws, weights: StimulusWeights, cycles: int, *, short: bool) -> Stimulus:
    """Draw the stimulus of a program that takes `cycles` cycles (its cyc_total)."""
    kind = weights.kind.draw(draws)
    if kind is StimulusKind.DELAYS and not (short and cycles <= weights.delayed_cycles):
        return PLAIN
    return make_stimulus(draws, weights, kind, cycles)


def make_stimulus(draws: Draws, weights: StimulusWeights, kind: StimulusKind, cycles: int) -> Stimulus:
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
