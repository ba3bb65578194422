"""Plain instructions: all of them but the failing one made as small as can be at once.

Where many instructions must stay, because it is their number, say, that matters, this makes every further
trial short, and saves simplifying them one by one.
"""

from __future__ import annotations

from collections.abc import Iterator

from verif.shrinking.draft import Draft
from verif.shrinking.pass_addresses import separated
from verif.shrinking.pass_fields import least_operands
from verif.shrinking.search import Search, Trials
from verif.shrinking.step import Step


def plain_instructions(search: Search) -> Trials[None]:
    """Cut all sizes down to 1, with memory of its own for each instruction, and the plainest operands.

    Where that is too much, less is tried. In the last program the failing instruction keeps its size.
    """
    for position in reversed(range(len(search.current))):
        failing = search.symptom.pc if position == len(search.current) - 1 else None
        for draft in _plainer(search.draft(position), failing):
            if (yield from search.attempt_program(position, draft.assembled())):
                break


def _plainer(draft: Draft, failing: int | None) -> Iterator[Draft]:
    tiny = draft.with_steps(
        step if index == failing else _tiny(step) for index, step in enumerate(draft.steps)
    )
    apart = separated(tiny)
    if apart is not None:
        yield apart.with_steps(
            step if index == failing else _plain(step) for index, step in enumerate(apart.steps)
        )
        yield apart
    yield tiny


def _tiny(step: Step) -> Step:
    """Return a step with one element of everything."""
    for axis in step.axes:
        step = step.with_elements(axis, [0])
    return step


def _plain(step: Step) -> Step:
    """Return a step with the least operands, or those that it has where they are less."""
    least = least_operands(step)
    return step.with_fields(
        **{name: min(int(getattr(step.instruction, name)), value) for name, value in least.items()}
    )
