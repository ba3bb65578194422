"""Chips that fail by rule: what a candidate shows is told by its instructions, or by its model trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from refmodel.isa.instructions import Instruction
from refmodel.isa.timing import unit_of
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.trace import trace_program
from refmodel.machine.traced_instruction import TracedInstruction
from sequences.directed.directed_program import DirectedProgram
from verif.divergence.kind import DivergenceKind
from verif.series.program_series import state_after
from verif.shrinking.legality import is_legal
from verif.shrinking.size import Series, size_of
from verif.shrinking.symptom import Symptom

Oracle = Callable[[Series], Symptom | None]


def instructions_of(program: DirectedProgram) -> tuple[Instruction, ...]:
    """Return the instructions of a program that complete."""
    return decode_program(program.bundle.code, program.bundle.read_latency).instructions


def fails_at(is_wrong: Callable[[Instruction], bool], needed: int = 1) -> Oracle:
    """Fail at the instruction that is the `needed`-th wrong one of the last program."""

    def oracle(series: Series) -> Symptom | None:
        wrong = [pc for pc, each in enumerate(instructions_of(series[-1])) if is_wrong(each)]
        return _data_at(series, wrong[needed - 1]) if len(wrong) >= needed else None

    return oracle


def fails_on(is_wrong: Callable[[TracedInstruction], bool]) -> Oracle:
    """Fail at the first instruction of the last program that is wrong with the words it reads."""

    def oracle(series: Series) -> Symptom | None:
        trace = trace_program(series[-1].bundle, state_after(series[:-1]))
        for each in trace.instructions:
            if is_wrong(each):
                return _data_at(series, each.retire.pc)
        return None

    return oracle


def _data_at(series: Sequence[DirectedProgram], pc: int) -> Symptom:
    return Symptom(DivergenceKind.DATA, unit_of(instructions_of(series[-1])[pc]), pc)


class Watched:
    """An oracle that holds every candidate to the rules of a search."""

    def __init__(self, oracle: Oracle, series: Series) -> None:
        """Begin with what is to be shrunk."""
        self.oracle = oracle
        self.candidates: list[Series] = []
        self._size = size_of(series)
        first = oracle(series)
        assert first is not None, "only what fails is shrunk"
        self.symptom = first

    def __call__(self, series: Series) -> Symptom | None:
        """Say what a candidate shows."""
        assert is_legal(series)
        size = size_of(series)
        assert size < self._size
        self.candidates.append(series)
        found = self.oracle(series)
        if found is not None and found.is_like(self.symptom):
            self._size = size
        return found
