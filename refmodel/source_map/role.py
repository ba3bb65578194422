"""Which step of a decoding a program is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from refmodel.source_map.errors import SourceMapError

StepKind: TypeAlias = Literal["plain", "draft", "verifier"]

STEP_KINDS: tuple[StepKind, ...] = get_args(StepKind)


@dataclass(frozen=True, slots=True)
class Role:
    """The step, the model it belongs to, and its shape."""

    step: StepKind
    target: str
    """Kind of the target model, or of the target that a draft guesses for: `structured`, say."""
    cached: int
    """Rows in the cache before it; 0 for a draft."""
    rows: int
    """Tokens it evaluates."""

    def __post_init__(self) -> None:
        """Refuse an unknown step and a shape that no step has."""
        if self.step not in STEP_KINDS:
            raise SourceMapError(f"{self.step!r} is no step, legal are {', '.join(STEP_KINDS)}")
        if self.cached < 0 or self.rows < 1:
            raise SourceMapError(
                f"a step of {self.rows} rows over {self.cached}, legal is at least 1 over at least 0"
            )
