"""Is there room for a plan, however the compiler's allocator places its tensors?"""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.limits import MAX_LENGTH, SCRATCHPAD_WORDS
from refmodel.machine.bundle import DEFAULT_EXT_WORDS
from sequences.random_graphs.plan import GraphPlan
from sequences.random_graphs.shapes import shapes


@dataclass(frozen=True)
class _Life:
    """A buffer of the scratchpad: from the node that first needs it to the last one."""

    first: int
    last: int
    words: int


def external_words(plan: GraphPlan) -> int:
    """Return the words that inputs, weights and outputs take in external memory."""
    stored = ("input", "weight", "output")
    return sum(size for each, size in zip(plan.nodes, _words(plan), strict=True) if each.kind in stored)


def fits(plan: GraphPlan) -> bool:
    """Is there room for the plan for certain?

    There is where all buffers together fit. Otherwise b live buffers of L words cut the scratchpad into b + 1
    free regions at most, so that one of them has (4096 − L) / (b + 1) words or more.
    """
    if external_words(plan) > DEFAULT_EXT_WORDS or max(_words(plan)) > MAX_LENGTH:
        return False
    lives = _lives(plan)
    return fits_without_reuse(plan) or all(_has_room(plan, lives, node) for node in range(len(plan.nodes)))


def fits_without_reuse(plan: GraphPlan) -> bool:
    """Is there room for certain if no word of the scratchpad is used twice?"""
    copies = sum(size for node in range(len(plan.nodes)) for size in _copies(plan, node))
    return sum(life.words for life in _lives(plan)) + copies <= SCRATCHPAD_WORDS


def _has_room(plan: GraphPlan, lives: list[_Life], node: int) -> bool:
    """Is there room for all that a node allocates, in whatever order?"""
    new = [life.words for life in lives if life.first == node] + _copies(plan, node)
    old = [life.words for life in lives if life.first < node <= life.last]
    if not new:
        return True
    largest = max(new)
    others = sum(old) + sum(new) - largest
    regions = len(old) + len(new)
    return largest * regions <= SCRATCHPAD_WORDS - others


def _copies(plan: GraphPlan, node: int) -> list[int]:
    """Return the words of the rescaled operands that an add may need beside its sum."""
    return [_words(plan)[node]] * 2 if plan.nodes[node].kind == "add" else []


def _lives(plan: GraphPlan) -> list[_Life]:
    """Return the life of every buffer that is ever there."""
    owners, words = _owners(plan), _words(plan)
    lives: dict[int, _Life] = {}
    for node, each in enumerate(plan.nodes):
        if each.kind in ("input", "weight"):
            continue  # loaded by its first reader, if there is one
        for tensor in (node, *each.operands):
            owner = owners[tensor]
            first = lives[owner].first if owner in lives else node
            lives[owner] = _Life(first, node, words[owner])
    return list(lives.values())


def _owners(plan: GraphPlan) -> list[int]:
    """Return for every node the node whose tensor is the buffer that it lies in."""
    owners = list(range(len(plan.nodes)))
    for node in reversed(range(len(plan.nodes))):
        if plan.nodes[node].kind in ("concat", "relu"):
            for operand in plan.nodes[node].operands:
                owners[operand] = owners[node]
    for node, each in enumerate(plan.nodes):
        if each.kind in ("slice", "output"):
            owners[node] = owners[each.operands[0]]
    return owners


def _words(plan: GraphPlan) -> list[int]:
    return [rows * columns for rows, columns in shapes(plan)]
