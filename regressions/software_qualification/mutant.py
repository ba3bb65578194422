"""The typed object of a software mutant: what is broken in the Python sources, and which tests see it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Category(Enum):
    """The kinds of error that the Python tests must find; the value names it for people."""

    ACCEPT_RULE = "accept rule"
    BONUS_TOKEN = "bonus token"
    CACHE_ROWS = "cache rows"
    BLOCK = "block"
    DRAFT_CHAIN = "draft chain"
    MASK = "mask"
    OUTPUT_ASSEMBLY = "output assembly"
    FLOAT_MASK = "float mask"
    DRAFT_TABLE = "draft table"
    VIEW_OFFSET = "view offset"
    UNITS = "units"
    SHAPE = "shape"
    INTERPRETER = "interpreter"
    SCALE = "scale"
    REFUSALS = "refusals"
    LOAD_ORDER = "load order"


@dataclass(frozen=True)
class SoftwareMutant:
    """One error in one file of the reference model."""

    name: str
    """Small letters, digits and underscores."""
    category: Category
    file: str
    """From the root of the project."""
    before: str
    """A text that occurs in the file exactly once."""
    after: str
    """What stands there instead."""
    broken: str
    """What is broken, in one sentence."""
    tests: tuple[str, ...]
    """Tests of which one must fail, as pytest spells them: files, or functions as file::function."""
