"""The first cut: nothing after the diverging instruction, and as little before it as will do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refmodel.machine.decoded_program import decode_program
from refmodel.machine.machine import Machine
from sequences.directed.directed_program import DirectedProgram
from verif.series.program_series import state_after
from verif.shrinking.draft import trimmed
from verif.shrinking.pass_programs import with_scratchpad
from verif.shrinking.search import Search, Trials
from verif.shrinking.stimulus_move import moved_stimulus

_HALT = 0


def cut(search: Search) -> Trials[None]:
    """Try the diverging instruction alone, then after the one before it, the two, four, eight and so on.

    Memories begin as the model says that they were. The last of the trials is the whole program up to there.
    """
    series = search.current
    program = series[-1]
    if program.bundle.scratchpad is None:
        program = with_scratchpad(program, state_after(series[:-1]))
    for before in _doubling(search.symptom.pc):
        first = search.symptom.pc - before
        part = series[-1] if first == 0 else program
        if (yield from search.attempt_program(len(series) - 1, _part(part, first, search.symptom.pc))):
            return


def _part(program: DirectedProgram, first: int, pc: int) -> DirectedProgram:
    """Return the instructions from `first` to `pc`, on the memories that those before leave behind."""
    bundle, latency = program.bundle, program.bundle.read_latency
    whole = decode_program(bundle.code, latency)
    completing = min(pc + 1, len(whole.instructions))
    end = (_HALT,) if pc < completing else (bundle.code[pc : pc + 1] or (_HALT,))
    code = (*bundle.code[first:completing], *end)
    part = replace(bundle, code=code)
    if first:
        state = Machine().run(replace(bundle, code=bundle.code[:first]))
        part = replace(part, ext=trimmed(state.ext), scratchpad=trimmed(state.scratchpad))
    origins = range(first, completing)
    stimulus = moved_stimulus(program.stimulus, whole, decode_program(code, latency), origins)
    return replace(program, bundle=part, stimulus=stimulus)


def _doubling(most: int) -> Iterator[int]:
    """Yield 0, 1, 2, 4 and so on below `most`, then `most`."""
    number = 0
    while number < most:
        yield number
        number = 2 * number or 1
    yield most
