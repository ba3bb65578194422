"""Simpler operands: strides that leave no gaps, small multipliers and shifts, no flags, no reserved bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from refmodel.isa.encoding import LAYOUT, decode, encode
from refmodel.isa.instructions import Illegal, MatMul
from verif.shrinking.reduction import smaller
from verif.shrinking.search import Search, Trials
from verif.shrinking.step import Step, changed_word

_SIMPLIFIED = ("lda", "ldb", "ldc", "transpose_b", "multiplier", "shift", "relu")
"""Operands of instructions that complete; sizes and addresses have passes of their own."""


def simpler_operands(search: Search) -> Trials[None]:
    """Simplify one operand after the other, last program and instruction first."""
    for position in reversed(range(len(search.current))):
        yield from _simpler_end(search, position)
        for index in reversed(range(len(search.draft(position).steps))):
            for name in least_operands(search.draft(position).steps[index]):
                yield from _simpler(search, position, index, name)
            yield from _without_reserved_bits(search, position, index)


def _simpler(search: Search, position: int, index: int, name: str) -> Trials[None]:
    draft = search.draft(position)
    step = draft.steps[index]
    instruction: Any = step.instruction

    def attempt(value: int) -> Trials[bool]:
        changed = step.with_fields(**{name: value})
        return search.attempt_program(position, draft.with_step(index, changed).assembled())

    value, least = int(getattr(instruction, name)), least_operands(step)[name]
    if value > least:
        yield from smaller(value, attempt, least)


def least_operands(step: Step) -> dict[str, int]:
    """Return how small each operand of a step may get, sizes and addresses left out.

    The least stride is that with which rows lie side by side, or 0 where there is a single row.
    """
    instruction = step.instruction
    least = {name: 0 for name in _SIMPLIFIED if hasattr(instruction, name)}
    if isinstance(instruction, MatMul):
        m, k, n = instruction.m, instruction.k, instruction.n
        b_rows, b_row = (n, k) if instruction.transpose_b else (k, n)
        rows = {"lda": (m, k), "ldb": (b_rows, b_row), "ldc": (m, n)}
        least |= {name: length if count > 1 else 0 for name, (count, length) in rows.items()}
    return least


def _without_reserved_bits(search: Search, position: int, index: int) -> Trials[None]:
    draft = search.draft(position)
    step = draft.steps[index]
    for word in _fewer_reserved_bits(step.word):
        candidate = draft.with_step(index, replace(step, word=word)).assembled()
        yield from search.attempt_program(position, candidate)


def _simpler_end(search: Search, position: int) -> Trials[None]:
    """Simplify the word that ends the program, and drop what stands after it."""
    draft = search.draft(position)
    yield from search.attempt_program(position, replace(draft, end=draft.end[:1]).assembled())
    draft = search.draft(position)
    last, *rest = draft.end
    for word in _fewer_reserved_bits(last):
        yield from search.attempt_program(position, replace(draft, end=(word, *rest)).assembled())
    instruction = decode(last)
    if isinstance(instruction, Illegal):
        return
    for field in LAYOUT[type(instruction)]:
        draft = search.draft(position)

        def attempt(value: int, draft: Any = draft, name: str = field.operand) -> Trials[bool]:
            word = changed_word(draft.end[0], **{name: value})
            return search.attempt_program(position, replace(draft, end=(word, *draft.end[1:])).assembled())

        yield from smaller(int(getattr(decode(draft.end[0]), field.operand)), attempt)


def _fewer_reserved_bits(word: int) -> Iterator[int]:
    """Yield the word without its reserved bits, then without one each."""
    reserved = word ^ encode(decode(word))
    if reserved:
        yield word ^ reserved
        yield from (word ^ (1 << bit) for bit in range(reserved.bit_length()) if reserved >> bit & 1)
