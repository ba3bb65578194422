"""The bins that something hits, by name, so that a test can tell all of them by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from refmodel.isa.instructions import Instruction
from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.directed.directed_program import bundle_of, words
from verif.coverage.dimension import IndexArray
from verif.coverage.model import load_model
from verif.coverage.passed_program import PassedProgram
from verif.coverage.prediction import predicted
from verif.coverage.tally import Tally

MODEL = load_model()

Names = str | tuple[str, ...]
"""A bin: its name in the one dimension, or in each of several."""


def of_instructions(
    item: str,
    instructions: Sequence[Instruction],
    scratchpad: Iterable[int] = (),
    read_latency: int = DEFAULT_READ_LATENCY,
) -> set[Names]:
    """Return the bins of an item that a program hits, with signed words at the scratchpad's beginning."""
    bundle = bundle_of(instructions, scratchpad=words(scratchpad), read_latency=read_latency)
    return of_program(item, predicted(bundle))


def of_program(item: str, program: PassedProgram) -> set[Names]:
    """Return the bins of an item that a run hits."""
    tally = Tally(MODEL)
    tally.program("program", program)
    return set(_named(item, tally.result().bins))


def of_sampler(item: str, found: Iterable[IndexArray]) -> set[Names]:
    """Return the bins of an item among those that a sampler yields."""
    return set(_named(item, [number for numbers in found for number in numbers.tolist()]))


def _named(name: str, numbers: Iterable[int]) -> Iterator[Names]:
    item = MODEL[name]
    for number in numbers:
        if item.first <= number < item.first + item.size:
            names = item.bin_names(number - item.first)
            yield names[0] if len(names) == 1 else names
