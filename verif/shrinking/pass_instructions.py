"""Fewer instructions, and smaller ones."""

from __future__ import annotations

from collections.abc import Sequence

from verif.shrinking.draft import Draft
from verif.shrinking.reduction import fewer, smaller
from verif.shrinking.search import Search, Trials
from verif.shrinking.step import Step


def fewer_instructions(search: Search) -> Trials[None]:
    """Leave instructions out; those that stay read what they read before. Last program first."""
    for position in reversed(range(len(search.current))):
        yield from _fewer_of(search, position, search.draft(position))


def smaller_instructions(search: Search) -> Trials[None]:
    """Cut lengths and tiles down to the elements that are needed, last program and instruction first."""
    for position in reversed(range(len(search.current))):
        for index in reversed(range(len(search.draft(position).steps))):
            for axis in search.draft(position).steps[index].axes:
                yield from _shorter(search, position, index, axis)


def _fewer_of(search: Search, position: int, draft: Draft) -> Trials[None]:
    def attempt(steps: Sequence[Step]) -> Trials[bool]:
        return search.attempt_program(position, draft.with_steps(steps).assembled())

    yield from fewer(draft.steps, attempt)


def _shorter(search: Search, position: int, index: int, axis: str) -> Trials[None]:
    """Cut one instruction down along one axis: to any of its elements, and then to its first ones."""
    draft = search.draft(position)
    step = draft.steps[index]

    def attempt(kept: Sequence[int]) -> Trials[bool]:
        if not kept:
            return _nothing()
        return search.attempt_program(
            position, draft.with_step(index, step.with_elements(axis, kept)).assembled()
        )

    size = int(getattr(step.instruction, axis))
    kept = yield from fewer(range(size), attempt)
    yield from smaller(len(kept), lambda number: attempt(kept[:number]), 1)


def _nothing() -> Trials[bool]:
    """Refuse without a trial."""
    return False
    yield
