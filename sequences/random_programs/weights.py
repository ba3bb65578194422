"""How random programs are drawn: the weights file, validated key by key."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import ErrorDetails

from refmodel.errors import Ga2Error
from refmodel.isa.limits import EXT_ADDRESS_WORDS, MAX_DEPTH, MAX_LENGTH, MAX_READ_LATENCY, MAX_TILE
from refmodel.isa.syntax import nearest_name
from refmodel.printable import printable
from sequences.document import DocumentError, counted, dotted, problems_of, read_toml
from sequences.random_programs.data_region import Profile
from sequences.random_programs.kinds import (
    AddPlacement,
    AddressKind,
    ArgMaxPlacement,
    Ending,
    FaultPosition,
    MatrixPlacement,
    Opening,
    Size,
    SourceKind,
    StimulusKind,
    StrideKind,
    VectorPlacement,
)
from sequences.random_programs.odds import STRICT, Bins, Odds, within
from sequences.stimulus import MAX_IDLE_CYCLES, DelayPattern

DEFAULT_WEIGHTS = Path(__file__).with_name("default_weights.toml")
"""Every key, with comments; any other weights file replaces some of them."""

SHORT_WEIGHTS = Path(__file__).with_name("short_weights.toml")
"""Many small programs instead of few long ones."""

SMALLEST_EXT_WORDS = 4096
"""External memory holds what the longest LD brings."""

MAX_INSTRUCTIONS = 1000

Percent = Annotated[int, Field(ge=0, le=100)]
Mnemonic = Literal["LD", "ST", "MM", "RQ", "SM", "VADD", "AMAX"]
TieFreeProfile = Literal[
    Profile.UNIFORM,
    Profile.INT8,
    Profile.NEAR_INT8,
    Profile.NEAR_INT32,
    Profile.CONSTANT,
    Profile.ONE_HOT,
    Profile.SPARSE,
]
"""The profiles that need no instruction to be made for."""


class WeightsError(Ga2Error):
    """A weights file cannot be read or is not one."""

    def __init__(self, path: Path, problem: str) -> None:
        """Name the file and say what is wrong with it."""
        super().__init__(f"weights {path}: {problem}")
        self.path = path


class _Section(BaseModel):
    model_config = STRICT


class BySize(_Section):
    """Bins for each size of program."""

    short: Bins
    medium: Bins
    long: Bins

    def of(self, size: Size) -> Bins:
        """Return the bins of a size."""
        bins: Bins = getattr(self, size)
        return bins


class LengthsBySize(BySize):
    """Lengths of instructions for each size of program."""

    short: Annotated[Bins, within(1, MAX_LENGTH)]
    medium: Annotated[Bins, within(1, MAX_LENGTH)]
    long: Annotated[Bins, within(1, MAX_LENGTH)]


class InstructionsBySize(BySize):
    """Numbers of instructions for each size of program."""

    short: Annotated[Bins, within(1, MAX_INSTRUCTIONS)]
    medium: Annotated[Bins, within(1, MAX_INSTRUCTIONS)]
    long: Annotated[Bins, within(1, MAX_INSTRUCTIONS)]


class CyclesBySize(_Section):
    """The nominal cycles after which a program of each size gets no further instruction."""

    short: Annotated[int, Field(ge=1)]
    medium: Annotated[int, Field(ge=1)]
    long: Annotated[int, Field(ge=1)]

    def of(self, size: Size) -> int:
        """Return the cycles of a size."""
        cycles: int = getattr(self, size)
        return cycles


class ProgramWeights(_Section):
    """The section `program`."""

    series: Annotated[int, Field(ge=1, le=1000)]
    size: Odds[Size]
    opening: Odds[Opening]
    ending: Odds[Ending]
    fault: Odds[FaultPosition]
    percent_reserved_bits: Percent
    ext_words: Annotated[Bins, within(SMALLEST_EXT_WORDS, EXT_ADDRESS_WORDS)]
    read_latency: Annotated[Bins, within(1, MAX_READ_LATENCY)]
    opcodes: Odds[Mnemonic]


class OperandWeights(_Section):
    """The section `operands`."""

    sources: Odds[SourceKind]
    scratchpad: Odds[AddressKind]
    external: Odds[AddressKind]


class DataWeights(_Section):
    """The section `data`."""

    profiles: Odds[TieFreeProfile]
    base: Odds[TieFreeProfile]
    overlays: Annotated[Bins, within(0, 100)]


class MatrixWeights(_Section):
    """The section `matrix`."""

    m: Annotated[Bins, within(1, MAX_TILE)]
    k: Annotated[Bins, within(1, MAX_DEPTH)]
    n: Annotated[Bins, within(1, MAX_TILE)]
    percent_transposed: Percent
    stride: Odds[StrideKind]
    placement: Odds[MatrixPlacement]


class RequantizerWeights(_Section):
    """The section `requantizer`."""

    multiplier: Annotated[Bins, within(0, (1 << 24) - 1)]
    shift: Annotated[Bins, within(0, 63)]
    percent_relu: Percent
    percent_ties: Percent
    placement: Odds[VectorPlacement]


class SoftmaxWeights(_Section):
    """The section `softmax`."""

    placement: Odds[VectorPlacement]
    percent_ties: Percent


class VectorAddWeights(_Section):
    """The section `vector_add`."""

    placement: Odds[AddPlacement]


class ArgMaxWeights(_Section):
    """The section `argmax`."""

    placement: Odds[ArgMaxPlacement]


class StimulusWeights(_Section):
    """The section `stimulus`."""

    kind: Odds[StimulusKind]
    delay_pattern: Odds[DelayPattern]
    longest_delay: Annotated[Bins, within(1, 4000)]
    delayed_cycles: Annotated[int, Field(ge=0)]
    percent_strays: Percent
    percent_wide_reset: Percent
    percent_second_reset: Percent
    reset_gap: Annotated[Bins, within(1, MAX_IDLE_CYCLES)]
    percent_start_after_reset: Percent
    percent_cut_delays: Percent
    percent_rest: Percent
    rest: Annotated[Bins, within(1, MAX_IDLE_CYCLES)]


class Weights(_Section):
    """A whole weights file; `default_weights.toml` explains every key."""

    program: ProgramWeights
    instructions: InstructionsBySize
    lengths: LengthsBySize
    cycles: CyclesBySize
    operands: OperandWeights
    data: DataWeights
    matrix: MatrixWeights
    requantizer: RequantizerWeights
    softmax: SoftmaxWeights
    vector_add: VectorAddWeights
    argmax: ArgMaxWeights
    stimulus: StimulusWeights


@lru_cache(maxsize=8)
def default_weights() -> Weights:
    """Return the default weights."""
    return load_weights(DEFAULT_WEIGHTS)


def load_weights(path: Path) -> Weights:
    """Read a weights file; keys that it does not give are the default's.

    Raises WeightsError, naming the file and the key, when it cannot be read or a value is not legal.
    """
    document = _read(DEFAULT_WEIGHTS)
    for section, values in _read(path).items():
        default = document.get(section)
        if isinstance(default, dict) and isinstance(values, dict):
            document[section] = {**default, **values}
        else:
            document[section] = values  # which the validation refuses
    try:
        return Weights.model_validate(document)
    except ValidationError as error:
        problems = problems_of(error)
        raise WeightsError(path, _describe(problems[0]) + counted(problems)) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path)
    except DocumentError as error:
        raise WeightsError(path, error.problem) from error


def _describe(problem: ErrorDetails) -> str:
    """Return a problem in a sentence that begins with its key."""
    if not problem["loc"]:
        return problem["msg"]
    *outer, last = problem["loc"]
    if last == "[key]":
        return f"key {dotted(outer)} is unknown; {_legal(problem)}"
    key = dotted(problem["loc"])
    found = printable(repr(problem["input"]), 60)
    match problem["type"]:
        case "extra_forbidden":
            return f"key {key} is unknown; correct or remove it{_suggestion(problem)}"
        case "missing":
            return f"key {key} is missing; add it"
        case "value_error":
            return f"{key}: {printable(problem['msg'].removeprefix('Value error, '), 200)}"
        case "model_type":
            return f"{key} is {found}, expected a table"
        case "tuple_type":
            return f"{key} is {found}, expected an array of bins {{ weight, from, to }}"
        case _:
            return f"{key} is {found}: {problem['msg']}"


def _legal(problem: ErrorDetails) -> str:
    """Return the legal names of odds, which pydantic writes as the enumeration's members."""
    names = re.findall(r"'(\w+)'", problem["msg"])
    return f"legal are {', '.join(names)}"


def _suggestion(problem: ErrorDetails) -> str:
    """Return the nearest of the names beside an unknown one, of a section or of a key in it."""
    *sections, key = map(str, problem["loc"])
    if len(sections) > 1:
        return ""
    known = list(Weights.model_fields)
    if sections:
        section = Weights.model_fields[sections[0]].annotation
        assert isinstance(section, type)
        assert issubclass(section, BaseModel)
        known = list(section.model_fields)
    return f" (the nearest is {nearest_name(key, known)})"
