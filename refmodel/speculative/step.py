"""What the host loop exchanges with whoever drives it: programs to run, and what they left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from refmodel.capra.program import Program
from refmodel.machine.bundle import Bundle
from refmodel.numerics.integer import IntArray
from refmodel.numerics.quantization import FloatArray
from refmodel.source_map.role import StepKind

Outputs = Mapping[str, IntArray]
"""The integers of a program's outputs by name, as `Program.read_outputs` returns them."""


@dataclass(frozen=True, eq=False)
class Step:
    """One program to run with its inputs; the driver answers with its `Outputs`."""

    kind: StepKind
    program: Program
    inputs: Mapping[str, FloatArray]
    """Real values by input name."""
    context: int
    """Rows in the cache before the step; 0 for a draft step."""
    rows: int
    """Tokens that the step evaluates."""

    def bundle(self) -> Bundle:
        """Return what to run."""
        return self.program.bundle(self.inputs)


class TargetPrograms(Protocol):
    """The target as the host loop sees it: embeddings, and a program for each shape."""

    @property
    def embedding(self) -> FloatArray:
        """Embeddings (V, D)."""
        ...

    @property
    def max_context(self) -> int:
        """Rows of context that the longest program can attend to."""
        ...

    def plain(self, context: int) -> Program:
        """Return the step over a cache of context − 1 rows.

        Inputs `x` (1, D) and, unless the cache is empty, `kc` and `vc` (context − 1, D); outputs `tok`,
        `logits`, `k_new`, `v_new`.
        """
        ...

    def verifier(self, cached: int, rows: int) -> Program:
        """Return the block of `rows` tokens over `cached` rows; its ports are alike, of `rows` rows each."""
        ...


class DraftPrograms(Protocol):
    """The draft as the host loop sees it."""

    @property
    def embedding(self) -> FloatArray:
        """Embeddings (V, D)."""
        ...

    def draft(self) -> Program:
        """Return the step that guesses one successor: input `x` (1, D), outputs `tok` and `logits`."""
        ...
