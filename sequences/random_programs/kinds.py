"""The kinds of things that weights choose between; the values are the keys of the weights file."""

from __future__ import annotations

from enum import StrEnum


class Size(StrEnum):
    """How large a program is: each size has bins of its own for lengths and numbers of instructions."""

    SHORT = "short"
    """The only size whose reads are answered after delays in a pattern."""
    MEDIUM = "medium"
    LONG = "long"


class Opening(StrEnum):
    """What the scratchpad holds when a program begins."""

    IMAGE = "image"
    """An image of its own, every word defined."""
    KEPT = "kept"
    """What those of its series before it left; the first of a series has to load all it reads."""


class Ending(StrEnum):
    """How a program that does not fault ends."""

    HALT = "halt"
    NO_HALT = "no_halt"
    """After the last word, where every word reads as 0."""
    DEAD_WORDS = "dead_words"
    """HALT, and words after it that never run."""


class FaultPosition(StrEnum):
    """Where the word that faults stands."""

    NONE = "none"
    FIRST = "first"
    MIDDLE = "middle"
    LAST = "last"


class AddressKind(StrEnum):
    """Where an operand lies in its memory."""

    ANYWHERE = "anywhere"
    FIRST = "first"
    """It begins at word 0."""
    LAST = "last"
    """It ends at the last word."""
    WRAPPING = "wrapping"
    """It passes the end: modulo 4096, or outside modulo 65536 if the program may touch all of that."""


class SourceKind(StrEnum):
    """Where the data of a source comes from."""

    FED = "fed"
    """An LD just before brings data of one profile."""
    CHAINED = "chained"
    """The result of an earlier instruction of the program."""
    ANYWHERE = "anywhere"
    """Whatever lies at a random address; what nobody has written yet is loaded first."""


class StrideKind(StrEnum):
    """A stride of MM compared with the row that it leads over."""

    ZERO = "zero"
    INSIDE = "inside"
    """Shorter than the row: rows share words."""
    EXACT = "exact"
    """As long as the row."""
    GAP = "gap"
    """Up to 64 words longer."""
    ANY = "any"
    """0..4095."""


class VectorPlacement(StrEnum):
    """dst of RQ and SM compared with src."""

    APART = "apart"
    ADJACENT = "adjacent"
    """Apart, without a word between them."""
    IN_PLACE = "in_place"


class AddPlacement(StrEnum):
    """The operands of VADD compared with each other."""

    APART = "apart"
    """dst is apart from both sources, which lie anyhow to each other."""
    SAME_SOURCES = "same_sources"
    OVERLAPPING_SOURCES = "overlapping_sources"
    ONTO_FIRST = "onto_first"
    ONTO_SECOND = "onto_second"
    ALL_SAME = "all_same"


class ArgMaxPlacement(StrEnum):
    """dst of AMAX compared with src."""

    ANYWHERE = "anywhere"
    INSIDE = "inside"


class MatrixPlacement(StrEnum):
    """The operands of MM compared with each other."""

    ANYWHERE = "anywhere"
    ONTO_A = "onto_a"
    ONTO_B = "onto_b"
    INTO_A = "into_a"
    """dst begins at some word of A's span."""
    INTO_B = "into_b"
    SAME_SOURCES = "same_sources"
    ALL_SAME = "all_same"


class StimulusKind(StrEnum):
    """What happens around a program."""

    PLAIN = "plain"
    RESET_FIRST = "reset_first"
    """rst before start."""
    RESET = "reset"
    """rst while it runs."""
    RESET_WITH_START = "reset_with_start"
    """rst while it runs, with start held high through it."""
    START_WHILE_BUSY = "start_while_busy"
    RESTART = "restart"
    """start again once it has halted."""
    HELD_START = "held_start"
    """start stays high into the second or third pass."""
    RESET_IN_RESTART = "reset_in_restart"
    """start again once it has halted, and rst in that second pass."""
    DELAYS = "delays"
    """Reads are answered after delays in a pattern; short programs only."""
