"""Smaller addresses: buffers move to the beginning of their memory, with everyone who uses them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from refmodel.isa.instructions import Load, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import Region, footprint
from verif.shrinking.draft import Draft
from verif.shrinking.reduction import smaller
from verif.shrinking.search import Search, Trials
from verif.shrinking.step import Step


@dataclass(frozen=True)
class Use:
    """An operand of one instruction, in one memory."""

    index: int
    """Of the step."""
    field: str
    """Of the instruction: where its address stands."""
    region: Region


@dataclass(frozen=True)
class Buffer:
    """Operands that share words, directly or through others."""

    uses: tuple[Use, ...]

    @property
    def base(self) -> int:
        """Its lowest address, if it does not wrap."""
        return min(use.region.start for use in self.uses)

    @property
    def length(self) -> int:
        """From the first word to the last, gaps included."""
        return max(use.region.last for use in self.uses) - self.base + 1

    def addresses(self, base: int) -> int:
        """Return the set of its addresses if it began at `base`, as the bits of an integer."""
        size = self.uses[0].region.memory_words
        found = 0
        for use in self.uses:
            start = (use.region.start - self.base + base) % size
            found |= Region(start, use.region.shape, use.region.strides, size).address_set()
        return found


def smaller_addresses(search: Search) -> Trials[None]:
    """Pack the buffers of each program; where that changes the failure, move one after the other."""
    for position in reversed(range(len(search.current))):
        for memory_words in (SCRATCHPAD_WORDS, EXT_ADDRESS_WORDS):
            draft = search.draft(position)
            buffers = buffers_of(draft, memory_words)
            bases = _packed(buffers)
            if _are_apart(buffers, bases) and (
                yield from search.attempt_program(position, moved(draft, buffers, bases).assembled())
            ):
                continue
            for number in range(len(buffers)):
                if search.draft(position) is not draft:
                    draft = search.draft(position)
                    buffers = buffers_of(draft, memory_words)
                yield from _move(search, position, draft, buffers, number)


def buffers_of(draft: Draft, memory_words: int) -> list[Buffer]:
    """Return the buffers of a program in one of the memories, lowest first."""
    groups: list[tuple[int, list[Use]]] = []
    for use in _uses(draft, memory_words):
        addresses, uses = use.region.address_set(), [use]
        for group in [group for group in groups if group[0] & addresses]:
            groups.remove(group)
            addresses, uses = addresses | group[0], [*group[1], *uses]
        groups.append((addresses, uses))
    return sorted((Buffer(tuple(uses)) for _, uses in groups), key=lambda buffer: buffer.base)


def moved(draft: Draft, buffers: Sequence[Buffer], bases: Sequence[int]) -> Draft:
    """Return the draft with its buffers at other addresses."""
    for buffer, base in zip(buffers, bases, strict=True):
        for use in buffer.uses:
            address = (use.region.start - buffer.base + base) % use.region.memory_words
            draft = draft.with_step(use.index, draft.steps[use.index].with_fields(**{use.field: address}))
    return draft


def separated(draft: Draft) -> Draft | None:
    """Return the draft with memory of its own for every instruction, so that none reads what another wrote.

    None if there is not enough.
    """
    steps: list[Step] = []
    for memory_words in (SCRATCHPAD_WORDS, EXT_ADDRESS_WORDS):
        free, steps = 0, []
        for step in draft.steps:
            alone = draft.with_steps([step])
            buffers = buffers_of(alone, memory_words)
            bases = [free + base for base in _packed(buffers)]
            steps += moved(alone, buffers, bases).steps
            free += sum(buffer.length for buffer in buffers)
        if free > memory_words:
            return None
        draft = draft.with_steps(steps)
    return draft


def _uses(draft: Draft, memory_words: int) -> list[Use]:
    uses = []
    for index, step in enumerate(draft.steps):
        touched = footprint(step.instruction)
        if memory_words == EXT_ADDRESS_WORDS:
            field = {Load: "src", Store: "dst"}.get(type(step.instruction))
            region = touched.ext_reads or touched.ext_writes
            uses += [Use(index, field, region)] if field and region else []
            continue
        uses += [Use(index, name.lower(), region) for name, region in touched.reads.items()]
        uses += [Use(index, "dst", touched.writes)] if touched.writes else []
    return uses


def _packed(buffers: Sequence[Buffer]) -> list[int]:
    """Return addresses at which the buffers lie side by side."""
    bases, free = [], 0
    for buffer in buffers:
        bases.append(free)
        free += buffer.length
    return bases


def _are_apart(buffers: Sequence[Buffer], bases: Sequence[int]) -> bool:
    """Do the buffers share no words, as they share none now?"""
    taken = 0
    for buffer, base in zip(buffers, bases, strict=True):
        addresses = buffer.addresses(base)
        if addresses & taken:
            return False
        taken |= addresses
    return True


def _move(
    search: Search, position: int, draft: Draft, buffers: Sequence[Buffer], number: int
) -> Trials[None]:
    """Move one buffer down, as far as it still shares no words with the others."""
    if number >= len(buffers):
        return
    buffer = buffers[number]
    taken = 0
    for other in buffers:
        taken |= 0 if other is buffer else other.addresses(other.base)

    def attempt(base: int) -> Trials[bool]:
        if buffer.addresses(base) & taken:
            return False
        return (yield from search.attempt_program(position, moved(draft, [buffer], [base]).assembled()))

    yield from smaller(buffer.base, attempt)
