"""What happens around a program: resets, extra starts, read delays."""

from __future__ import annotations

from dataclasses import replace

from sequences.random_programs.draws import Draws
from sequences.random_programs.kinds import StimulusKind
from sequences.random_programs.nominal_cycles import Timetable
from sequences.random_programs.weights import StimulusWeights
from sequences.stimulus import MAX_RESET_WIDTH, PLAIN, ResponseDelays, Stimulus

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


def surround(draws: Draws, weights: StimulusWeights, stimulus: Stimulus, timetable: Timetable) -> Stimulus:
    """Return a stimulus with more around it: wider resets, starts after them, stray responses, a rest."""
    if stimulus.reset_first or stimulus.reset_cycle is not None:
        width = draws.between(2, MAX_RESET_WIDTH) if draws.percent(weights.percent_wide_reset) else 1
        gap = weights.reset_gap.draw(draws) if draws.percent(weights.percent_second_reset) else 0
        stimulus = replace(stimulus, reset_width=width, reset_gap=gap)
    if stimulus.reset_cycle is not None and draws.percent(weights.percent_start_after_reset):
        stimulus = _started_again(draws, stimulus, stimulus.reset_cycle)
    if stimulus.response_delays is not None and draws.percent(weights.percent_cut_delays):
        moment = timetable.actual(draws.between(1, timetable.nominal_total))
        if draws.percent(50):
            stimulus = _started_again(draws, replace(stimulus, reset_cycle=moment), moment)
        else:
            stimulus = replace(
                stimulus, extra_start=(moment, moment + 2 * timetable.actual(timetable.nominal_total))
            )
    if draws.percent(weights.percent_strays):
        stimulus = replace(stimulus, stray_responses=draws.seed() or 1)
    if draws.percent(weights.percent_rest):
        stimulus = replace(stimulus, idle_cycles=weights.rest.draw(draws))
    return stimulus


def _started_again(draws: Draws, stimulus: Stimulus, reset: int) -> Stimulus:
    """Return the stimulus with start high in the cycle after the last reset, perhaps under it too."""
    span = stimulus.reset_width
    if stimulus.reset_gap:
        span += stimulus.reset_gap + stimulus.reset_width
    after = reset + span
    first = draws.element((max(reset - 1, 1), reset, after - 1, after))
    return replace(stimulus, extra_start=(first, after + draws.below(2)))
