"""Points that are not wanted, each with a category and a reason: `exclusions.toml`.

An exclusion holds for the line that it was written for. Once that line reads differently it counts for
nothing and is a problem, and so is one whose point was reached after all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, field_validator

from sequences.document import DocumentError, read_text, read_toml_model
from verif.code_coverage.counts import Counts
from verif.code_coverage.errors import CodeCoverageError
from verif.code_coverage.point import CodeKind, CodePoint

EXCLUSIONS = Path(__file__).with_name("exclusions.toml")


class Category(StrEnum):
    """Why nobody wants a point."""

    UNREACHABLE = "unreachable"
    """No legal stimulus gets there."""
    UNSUPPORTED = "unsupported"
    """The instruction set or the harness does not go so far."""
    LOW_RISK = "low risk"
    """It would take long, and nothing depends on it that is not covered elsewhere."""


class Exclusion(BaseModel):
    """Points of one kind on one line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    line: int = Field(ge=1)
    hash: str
    """The first digits of the line's SHA-256, blanks at its ends left out."""
    kind: CodeKind
    points: str
    """A regular expression for the whole of `CodePoint.what`."""
    category: Category
    reason: str = Field(min_length=10)

    @field_validator("points")
    @classmethod
    def _is_an_expression(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"{value!r} is not a regular expression: {error}") from error
        return value

    @property
    def place(self) -> str:
        """Where, for messages."""
        return f"{self.file}:{self.line}"

    def matches(self, point: CodePoint) -> bool:
        """Is this one of the points?"""
        return (point.file, point.line, point.kind) == (self.file, self.line, self.kind) and re.fullmatch(
            self.points, point.what
        ) is not None


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    exclusions: list[Exclusion]


@dataclass(frozen=True)
class Excluded:
    """What became of the exclusions."""

    points: frozenset[CodePoint]
    problems: tuple[str, ...]
    """One message for each exclusion that is wrong; none of them excludes anything."""


def load_exclusions(path: Path = EXCLUSIONS) -> list[Exclusion]:
    """Read a file of exclusions. Raises CodeCoverageError, naming the entry and the key."""
    try:
        return read_toml_model(path, _Document).exclusions
    except DocumentError as error:
        raise CodeCoverageError(str(error)) from error


def apply_exclusions(exclusions: Sequence[Exclusion], counts: Counts, root: Path) -> Excluded:
    """Return the points that are excluded; sources are found from `root` on."""
    points: set[CodePoint] = set()
    problems: list[str] = []
    for exclusion in exclusions:
        found = [point for point in counts if exclusion.matches(point)]
        wrong = list(_problems(exclusion, found, counts, root))
        problems.extend(f"exclusion of {exclusion.place}: {problem}" for problem in wrong)
        if not wrong:
            points.update(found)
    return Excluded(frozenset(points), tuple(problems))


def line_hash(text: str) -> str:
    """Return what an exclusion keeps of its line."""
    return hashlib.sha256(text.strip().encode()).hexdigest()[:12]


def _problems(exclusion: Exclusion, found: Sequence[CodePoint], counts: Counts, root: Path) -> Iterator[str]:
    try:
        text = read_text(root / exclusion.file).splitlines()[exclusion.line - 1]
    except (DocumentError, IndexError):
        yield "there is no such line; remove it, or name the line that it is about now"
        return
    if line_hash(text) != exclusion.hash:
        yield (
            f"the line reads differently now: {text.strip()!r}; if its reason still holds, set "
            f'hash = "{line_hash(text)}"'
        )
        return
    if not found:
        yield f"no {exclusion.kind.name.lower()} there matches {exclusion.points!r}; remove it or mend it"
    for point in found:
        if counts[point]:
            yield f"{point.what} was reached {counts[point]:,} times; remove it from the exclusions"
