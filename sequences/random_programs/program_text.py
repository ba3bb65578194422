"""A random program as text, and back exactly: one line for each thing it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Illegal, Instruction
from refmodel.isa.syntax import format_instruction, parse_instruction, parse_number
from sequences.random_programs.data_region import DataRegion, Profile
from sequences.random_programs.random_program import RandomProgram
from sequences.stimulus import PLAIN, DelayPattern, ResponseDelays, Stimulus

KEPT = "kept"
NONE = "none"
ILLEGAL = "illegal opcode"
CODE = "code"

_SIMPLE_NUMBERS = ("reset_width", "reset_gap", "stray_responses", "idle_cycles")
"""Fields of a stimulus that are a number each, with a line only where it is not the plain one's."""


class ProgramTextError(Ga2Error):
    """A text is not that of a random program."""


def format_program(program: RandomProgram) -> str:
    """Return a program's text; every field has a line, and so has every instruction after the line `code`."""
    return "\n".join(_lines(program)) + "\n"


def parse_program(text: str) -> RandomProgram:
    """Return the program that a text means. Raises ProgramTextError, naming the line."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            reader.take(line.partition("#")[0].split())
        except (Ga2Error, ValueError, KeyError, AssertionError) as error:
            raise ProgramTextError(f"line {number}, {line.strip()!r}: {error}; correct it") from error
    return reader.program()


def _lines(program: RandomProgram) -> Iterator[str]:
    yield f"seed {program.seed}"
    yield f"number {program.number}"
    yield f"ext_words {program.ext_words}"
    yield f"read_latency {program.read_latency}"
    yield f"reserved_bits {NONE if program.reserved_bits is None else program.reserved_bits}"
    yield from _stimulus_lines(program.stimulus)
    if program.scratchpad is None:
        yield f"scratchpad {KEPT}"
    elif not program.scratchpad:
        yield "scratchpad zeros"
    else:
        yield from (_region_line("scratchpad", region) for region in program.scratchpad)
    yield from (_region_line("ext", region) for region in program.ext)
    yield CODE
    for pc, instruction in enumerate(program.instructions):
        yield f"{format_instruction(instruction):50}# {pc}"


def _stimulus_lines(stimulus: Stimulus) -> Iterator[str]:
    """Only what is not as in a plain run."""
    if stimulus.reset_first:
        yield "reset_first"
    if stimulus.reset_cycle is not None:
        yield f"reset_cycle {stimulus.reset_cycle}"
    if stimulus.extra_start is not None:
        yield f"extra_start {stimulus.extra_start[0]} {stimulus.extra_start[1]}"
    if stimulus.response_delays is not None:
        delays = stimulus.response_delays
        pattern = "" if delays.pattern == "random" else f" {delays.pattern}"
        yield f"response_delays {delays.shortest} {delays.longest} seed {delays.seed}{pattern}"
    for key in _SIMPLE_NUMBERS:
        value = getattr(stimulus, key)
        if value != getattr(PLAIN, key):
            yield f"{key} {value}"
    if stimulus.cycle_limit is not None:
        yield f"cycle_limit {stimulus.cycle_limit}"


def _region_line(memory: str, region: DataRegion) -> str:
    exponent = f" exponent {region.exponent}" if region.exponent else ""
    return f"{memory} {region.start} {region.length} {region.profile} seed {region.seed}{exponent}"


class _Reader:
    """The lines met so far."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.reserved_bits: int | None = None
        self.reset_first = False
        self.extra_start: tuple[int, int] | None = None
        self.delays: ResponseDelays | None = None
        self.ext: list[DataRegion] = []
        self.scratchpad: list[DataRegion] | None = None
        self.instructions: list[Instruction] | None = None

    def take(self, words: Sequence[str]) -> None:
        if not words:
            return
        if self.instructions is not None:
            self.instructions.append(_instruction(words))
            return
        key, *values = words
        match key:
            case "seed" | "number" | "ext_words" | "read_latency" | "reset_cycle" | "cycle_limit":
                (value,) = values
                self.numbers[key] = parse_number(value)
            case _ if key in _SIMPLE_NUMBERS:
                (value,) = values
                self.numbers[key] = parse_number(value)
            case "reserved_bits":
                (value,) = values
                if value.startswith("-"):
                    raise ProgramTextError("a seed is 0 and more")
                self.reserved_bits = None if value == NONE else parse_number(value)
            case "reset_first":
                self.reset_first = True
            case "extra_start":
                first, last = map(parse_number, values)
                self.extra_start = first, last
            case "response_delays":
                shortest, longest, word, seed, *named = values
                (pattern,) = named or ["random"]
                if word != "seed":
                    raise ProgramTextError(f"{word!r} stands where `seed` must")
                self.delays = ResponseDelays(
                    parse_number(seed),
                    parse_number(longest),
                    parse_number(shortest),
                    cast("DelayPattern", pattern),  # checked by Stimulus
                )
            case "scratchpad" if values == [KEPT]:
                self.scratchpad = None
            case "scratchpad" if values == ["zeros"]:
                self.scratchpad = []
            case "scratchpad":
                self.scratchpad = [*(self.scratchpad or []), _region(values)]
            case "ext":
                self.ext.append(_region(values))
            case "code" if not values:
                self.instructions = []
            case _:
                raise ProgramTextError(f"unknown key {key!r}")

    def program(self) -> RandomProgram:
        if self.instructions is None:
            raise ProgramTextError(f"the text has no line {CODE!r}; the instructions follow it")
        for key in ("seed", "number", "ext_words", "read_latency"):
            if key not in self.numbers:
                raise ProgramTextError(f"the text has no line {key!r}; add it")
        try:
            stimulus = Stimulus(
                reset_first=self.reset_first,
                reset_cycle=self.numbers.get("reset_cycle"),
                extra_start=self.extra_start,
                response_delays=self.delays,
                **{key: self.numbers[key] for key in _SIMPLE_NUMBERS if key in self.numbers},
                cycle_limit=self.numbers.get("cycle_limit"),
            )
        except AssertionError as error:
            raise ProgramTextError(f"the stimulus is none that the harness can do: {error}") from error
        return RandomProgram(
            seed=self.numbers["seed"],
            number=self.numbers["number"],
            instructions=tuple(self.instructions),
            ext=tuple(self.ext),
            scratchpad=None if self.scratchpad is None else tuple(self.scratchpad),
            ext_words=self.numbers["ext_words"],
            read_latency=self.numbers["read_latency"],
            reserved_bits=self.reserved_bits,
            stimulus=PLAIN if stimulus == PLAIN else stimulus,
        )


def _region(values: Sequence[str]) -> DataRegion:
    match values:
        case start, length, profile, "seed", seed:
            exponent = "0"
        case start, length, profile, "seed", seed, "exponent", exponent:
            pass
        case _:
            raise ProgramTextError(
                "a region is `start length profile seed N`, perhaps with `exponent N` after it"
            )
    return DataRegion(
        parse_number(start),
        parse_number(length),
        Profile(profile),
        parse_number(seed),
        parse_number(exponent),
    )


def _instruction(words: Sequence[str]) -> Instruction:
    line = " ".join(words)
    if line.startswith(ILLEGAL):
        return Illegal(parse_number(line.removeprefix(ILLEGAL).strip()))
    return parse_instruction(line)
