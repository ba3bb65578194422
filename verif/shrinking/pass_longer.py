"""Fewer instructions by longer ones, where their total matters: a counter that must get far, say."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import MatMul
from refmodel.isa.limits import MAX_DEPTH, MAX_LENGTH, MAX_TILE
from refmodel.isa.timing import busy_cycles
from verif.shrinking.draft import Draft
from verif.shrinking.pass_fields import least_operands
from verif.shrinking.search import Search, Trials
from verif.shrinking.step import Step

_WORTHWHILE = 3
"""A program of so many instructions is left as it is."""

_ADDRESSES = ("dst", "src", "src1", "src2")


def longer_instructions(search: Search) -> Trials[None]:
    """Let a few instructions of one kind, as long as can be, take the place of all; last program first.

    The failing instruction is kept behind them or left out. How long they must be is found out afterwards.
    """
    for position in reversed(range(len(search.current))):
        draft = search.draft(position)
        if len(draft.steps) <= _WORTHWHILE:
            continue
        failing = search.symptom.pc if position == len(search.current) - 1 else None
        for candidate in _candidates(draft, failing):
            if (yield from search.attempt_program(position, candidate.assembled())):
                break


def _candidates(draft: Draft, failing: int | None) -> Iterator[Draft]:
    latency = draft.program.bundle.read_latency
    for opcode in dict.fromkeys(step.instruction.opcode for step in draft.steps):
        alike = [step for step in draft.steps if step.instruction.opcode == opcode]
        total = sum(busy_cycles(step.instruction, latency) for step in alike)
        longest = busy_cycles(_longest(alike[0]).instruction, latency)
        few = [_longest(step) for step in alike[: -(-total // longest)]]
        yield draft.with_steps(few)
        if failing is not None and failing < len(draft.steps):
            last = draft.steps[failing]
            before = [step for step in few if step.origin < last.origin]
            yield draft.with_steps([*before, last])


def _longest(step: Step) -> Step:
    """Return a step of the largest size; what it reads is repeated, and lies at the beginning of memory."""
    sizes = {"m": MAX_TILE, "k": MAX_DEPTH, "n": MAX_TILE, "length": MAX_LENGTH}
    for axis in step.axes:
        size: int = getattr(step.instruction, axis)
        step = step.with_elements(axis, [element % size for element in range(sizes[axis])])
    if isinstance(step.instruction, MatMul):
        tile = MAX_TILE * MAX_DEPTH
        return step.with_fields(**least_operands(step), a=0, b=tile, dst=2 * tile)
    names = [name for name in _ADDRESSES if hasattr(step.instruction, name)]
    return step.with_fields(**dict.fromkeys(names, 0))
