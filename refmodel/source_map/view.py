"""What a program computes without an instruction: nodes of the graph that only look at other nodes' words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from refmodel.source_map.errors import SourceMapError

ViewKind: TypeAlias = Literal["concat", "slice", "relu", "output"]
"""Rows above rows, some rows, a relu fused into the RQ of its product, words stored from where they lie."""

VIEW_KINDS: tuple[ViewKind, ...] = get_args(ViewKind)


@dataclass(frozen=True, slots=True)
class View:
    """One such node."""

    kind: ViewKind
    operands: tuple[str, ...]
    """Kinds of the nodes that it looks at, as the graph calls them: `matmul`, `input`, `concat`, …"""

    def __post_init__(self) -> None:
        """Refuse an unknown kind and a view of nothing."""
        if self.kind not in VIEW_KINDS:
            raise SourceMapError(f"{self.kind!r} is no view, legal are {', '.join(VIEW_KINDS)}")
        if not self.operands:
            raise SourceMapError(f"a {self.kind} looks at nothing, legal is at least one operand")
