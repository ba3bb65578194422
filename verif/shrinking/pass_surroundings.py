"""Less around the programs: stimulus, read latency and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace

from refmodel.machine.bundle import DEFAULT_EXT_WORDS, DEFAULT_READ_LATENCY
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import PLAIN, ResponseDelays, Stimulus
from verif.shrinking.reduction import smaller
from verif.shrinking.search import Search, Trials


def less_around(search: Search) -> Trials[None]:
    """Leave out what happens around the programs, or let less of it happen, last program first."""
    for position in reversed(range(len(search.current))):
        for stimulus in _lesser(search.current[position].stimulus):
            changed = replace(search.current[position], stimulus=stimulus)
            yield from search.attempt_program(position, changed)
        yield from _smaller_numbers(search, position)
        program = search.current[position]
        yield from search.attempt_program(position, _with_latency(program, DEFAULT_READ_LATENCY))
        program = search.current[position]
        if len(program.bundle.ext) <= DEFAULT_EXT_WORDS:
            bundle = replace(program.bundle, ext_words=DEFAULT_EXT_WORDS)
            yield from search.attempt_program(position, replace(program, bundle=bundle))


def _lesser(stimulus: Stimulus) -> Iterator[Stimulus]:
    """Yield the stimulus without anything, then without one thing each."""
    yield PLAIN
    yield replace(stimulus, reset_first=False)
    yield replace(stimulus, reset_cycle=None)
    yield replace(stimulus, extra_start=None)
    yield replace(stimulus, response_delays=None)
    yield replace(stimulus, cycle_limit=None)
    yield replace(stimulus, reset_gap=0)
    yield replace(stimulus, reset_width=1)
    yield replace(stimulus, stray_responses=0)
    yield replace(stimulus, idle_cycles=0)


def _smaller_numbers(search: Search, position: int) -> Trials[None]:
    """Make the numbers of a stimulus and of an unusual latency smaller."""

    def try_number(
        change: Callable[[DirectedProgram, int], DirectedProgram],
    ) -> Callable[[int], Trials[bool]]:
        return lambda number: search.attempt_program(position, change(search.current[position], number))

    stimulus = search.current[position].stimulus
    if stimulus.reset_cycle is not None:
        yield from smaller(stimulus.reset_cycle, try_number(_with_reset_cycle), 1)
    if stimulus.extra_start is not None:
        yield from smaller(stimulus.extra_start[0], try_number(_with_first_start), 1)
        first, last = search.current[position].stimulus.extra_start or stimulus.extra_start
        yield from smaller(last, try_number(_with_last_start), first)
    if stimulus.response_delays is not None:
        yield from try_number(_with_seed)(0)
        yield from smaller(stimulus.response_delays.shortest, try_number(_with_shortest), 1)
        delays = _delays(search.current[position])
        yield from smaller(delays.longest, try_number(_with_longest), delays.shortest)
    for name, least in (("reset_width", 1), ("reset_gap", 0), ("stray_responses", 0), ("idle_cycles", 0)):
        yield from smaller(getattr(search.current[position].stimulus, name), try_number(_with(name)), least)
    latency = search.current[position].bundle.read_latency
    if latency != DEFAULT_READ_LATENCY:
        yield from smaller(latency, try_number(_with_latency), 1)


def _with_latency(program: DirectedProgram, value: int) -> DirectedProgram:
    return replace(program, bundle=replace(program.bundle, read_latency=value))


def _with(name: str) -> Callable[[DirectedProgram, int], DirectedProgram]:
    """Return what changes a field of the stimulus that is a number."""

    def change(program: DirectedProgram, value: int) -> DirectedProgram:
        stimulus = asdict(program.stimulus) | {
            name: value,
            "response_delays": program.stimulus.response_delays,
        }
        return replace(program, stimulus=Stimulus(**stimulus))

    return change


def _with_reset_cycle(program: DirectedProgram, value: int) -> DirectedProgram:
    return replace(program, stimulus=replace(program.stimulus, reset_cycle=value))


def _with_first_start(program: DirectedProgram, value: int) -> DirectedProgram:
    _, last = program.stimulus.extra_start or (value, value)
    return replace(program, stimulus=replace(program.stimulus, extra_start=(value, last)))


def _with_last_start(program: DirectedProgram, value: int) -> DirectedProgram:
    first, _ = program.stimulus.extra_start or (value, value)
    return replace(program, stimulus=replace(program.stimulus, extra_start=(first, value)))


def _with_seed(program: DirectedProgram, value: int) -> DirectedProgram:
    return _with_delays(program, replace(_delays(program), seed=value))


def _with_shortest(program: DirectedProgram, value: int) -> DirectedProgram:
    return _with_delays(program, replace(_delays(program), shortest=value))


def _with_longest(program: DirectedProgram, value: int) -> DirectedProgram:
    return _with_delays(program, replace(_delays(program), longest=value))


def _delays(program: DirectedProgram) -> ResponseDelays:
    delays = program.stimulus.response_delays
    assert delays is not None, "only delays that are there become smaller"
    return delays


def _with_delays(program: DirectedProgram, delays: ResponseDelays) -> DirectedProgram:
    return replace(program, stimulus=replace(program.stimulus, response_delays=delays))
