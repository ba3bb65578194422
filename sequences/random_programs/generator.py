"""Random programs: number N of seed S is the same program whatever else is drawn.

Programs come in series of consecutive numbers. Within a series a program may read what those before it left
in the scratchpad; nothing reaches from one series into the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Halt, Instruction
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.definedness import Mask
from sequences.random_programs.builder import ProgramBuilder, Span
from sequences.random_programs.data_region import DataRegion, Profile
from sequences.random_programs.draws import Draws, Purpose
from sequences.random_programs.faults import faulty_instruction
from sequences.random_programs.kinds import Ending, FaultPosition, Opening, Size
from sequences.random_programs.legality import defined_after, keeps_promise, nothing_defined
from sequences.random_programs.matrix import matmul
from sequences.random_programs.nominal_cycles import Timetable
from sequences.random_programs.random_program import RandomProgram
from sequences.random_programs.requantizer import requantize
from sequences.random_programs.stimuli import draw_stimulus, surround
from sequences.random_programs.transfers import load, store
from sequences.random_programs.vector_add import vector_add
from sequences.random_programs.vectors import argmax, softmax
from sequences.random_programs.weights import Mnemonic, Weights, default_weights

GENERATORS: dict[Mnemonic, Callable[[ProgramBuilder], object]] = {
    "LD": load,
    "ST": store,
    "MM": matmul,
    "RQ": requantize,
    "SM": softmax,
    "VADD": vector_add,
    "AMAX": argmax,
}
"""What appends an instruction, by its mnemonic; each takes a partial constraint beside the builder."""

LONGEST_BASE = 8192
"""Words of external memory that hold data at the start; what lies beyond is 0 unless something is fed."""

MOST_DEAD_WORDS = 3


@dataclass(frozen=True, eq=False)
class _Left:
    """What a program leaves to the next one of its series."""

    defined: Mask
    results: tuple[Span, ...]


def random_programs(
    seed: int, numbers: Iterable[int], weights: Weights | None = None
) -> Iterator[RandomProgram]:
    """Yield programs by number, in the order asked for. Raises Ga2Error for a negative seed or number.

    A program stands on those of its series before it: see `with_predecessors`.
    """
    weights = default_weights() if weights is None else weights
    _require_natural("seed", seed)
    series: tuple[int, list[RandomProgram], Iterator[RandomProgram]] | None = None
    for number in numbers:
        _require_natural("number", number)
        which, position = divmod(number, weights.program.series)
        if series is None or series[0] != which:
            series = which, [], _series(seed, which, weights)
        _, made, rest = series
        while len(made) <= position:
            made.append(next(rest))
        yield made[position]


def random_program(seed: int, number: int, weights: Weights | None = None) -> RandomProgram:
    """Return one program. Raises Ga2Error for a negative seed or number."""
    return next(random_programs(seed, [number], weights))


def with_predecessors(seed: int, numbers: Iterable[int], weights: Weights | None = None) -> tuple[int, ...]:
    """Return the numbers of programs and of those before them whose scratchpad they need, ascending.

    That is the rest of their series back to the last program that begins with a scratchpad of its own.
    """
    weights = default_weights() if weights is None else weights
    needed: set[int] = set()
    for number in numbers:
        first = number - number % weights.program.series
        for program in reversed(list(random_programs(seed, range(first, number + 1), weights))):
            needed.add(program.number)
            if program.scratchpad is not None:
                break
    return tuple(sorted(needed))


def _require_natural(what: str, value: int) -> None:
    if value < 0:
        raise Ga2Error(f"random programs: {what} is {value}, legal is 0 and more")


def _series(seed: int, series: int, weights: Weights) -> Iterator[RandomProgram]:
    left = _Left(nothing_defined(), ())
    first = series * weights.program.series
    for number in range(first, first + weights.program.series):
        program, left = _generate(seed, number, weights, left)
        yield program


def _generate(seed: int, number: int, weights: Weights, left: _Left) -> tuple[RandomProgram, _Left]:
    draws = Draws(Purpose.PROGRAM, seed, number)
    size = weights.program.size.draw(draws)
    scratchpad = None
    if weights.program.opening.draw(draws) is Opening.IMAGE:
        scratchpad = tuple(_image(draws, weights, size, SCRATCHPAD_WORDS))
        left = _Left(~nothing_defined(), ())
    builder = ProgramBuilder(
        draws,
        weights,
        size,
        ext_words=weights.program.ext_words.draw(draws),
        read_latency=weights.program.read_latency.draw(draws),
        defined=left.defined,
        results=left.results,
    )
    ext = _image(draws, weights, size, min(builder.ext_words, LONGEST_BASE))
    for _ in range(weights.instructions.of(size).draw(draws)):
        if builder.nominal_cycles >= weights.cycles.of(size):
            break
        GENERATORS[weights.program.opcodes.draw(draws)](builder)
    instructions, executed = _end(draws, weights, builder.instructions)
    reserved_bits = draws.seed() if draws.percent(weights.program.percent_reserved_bits) else None
    timetable = Timetable(instructions[:executed], builder.read_latency)
    stimulus = draw_stimulus(
        Draws(Purpose.STIMULUS, seed, number), weights.stimulus, timetable, short=size is Size.SHORT
    )
    program = RandomProgram(
        seed=seed,
        number=number,
        instructions=instructions,
        ext=(*ext, *builder.ext),
        scratchpad=scratchpad,
        ext_words=builder.ext_words,
        read_latency=builder.read_latency,
        reserved_bits=reserved_bits,
        stimulus=stimulus,
    )
    defined = defined_after(program, left.defined)
    surrounded = surround(Draws(Purpose.SURROUNDINGS, seed, number), weights.stimulus, stimulus, timetable)
    surrounded_program = replace(program, stimulus=surrounded)
    if not keeps_promise(surrounded_program, left.defined, defined):
        # What rst cut is read by the next pass, or promised to the programs after it: no further pass, then.
        surrounded = replace(surrounded, reset_cycle=stimulus.reset_cycle, extra_start=stimulus.extra_start)
        surrounded_program = replace(program, stimulus=surrounded)
    return surrounded_program, _Left(defined, tuple(builder.results))


def _image(draws: Draws, weights: Weights, size: Size, memory_words: int) -> list[DataRegion]:
    """Draw the regions of a memory image: a base over all of it, and some over that."""
    base = Profile(weights.data.base.draw(draws))
    regions = [DataRegion(0, memory_words, base, draws.seed())]
    for _ in range(weights.data.overlays.draw(draws)):
        length = weights.lengths.of(size).draw(draws)
        start = draws.between(0, memory_words - length)
        regions.append(DataRegion(start, length, Profile(weights.data.profiles.draw(draws)), draws.seed()))
    return regions


def _end(draws: Draws, weights: Weights, body: list[Instruction]) -> tuple[tuple[Instruction, ...], int]:
    """Return all words of a program, and how many of them complete."""
    position = weights.program.fault.draw(draws)
    if position is not FaultPosition.NONE:
        pc = _fault_pc(draws, position, len(body))
        return (*body[:pc], faulty_instruction(draws), *body[pc:], Halt()), pc
    match weights.program.ending.draw(draws):
        case Ending.HALT:
            return (*body, Halt()), len(body)
        case Ending.NO_HALT:
            return tuple(body), len(body)
        case Ending.DEAD_WORDS:
            dead = [
                draws.element(body) if draws.below(2) == 0 else faulty_instruction(draws)
                for _ in range(draws.between(1, MOST_DEAD_WORDS))
            ]
            return (*body, Halt(), *dead), len(body)


def _fault_pc(draws: Draws, position: FaultPosition, count: int) -> int:
    """Return before which of `count` instructions the word that faults stands."""
    match position:
        case FaultPosition.FIRST:
            return 0
        case FaultPosition.MIDDLE if count > 1:
            return draws.between(1, count - 1)
        case _:
            return count
