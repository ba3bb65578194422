"""A random graph as a small value: nodes with operands, sizes and seeds, and nothing computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "input", "weight", "matmul", "transposed", "softmax", "add", "relu", "concat", "slice", "argmax", "output"
]
"""As the methods of `refmodel.capra.graph.Graph`; `transposed` is a matmul whose second operand is."""

Shape = tuple[int, int]
"""Rows and columns."""


@dataclass(frozen=True)
class NodePlan:
    """One node; prints as `matmul 0 3`."""

    kind: Kind
    operands: tuple[int, ...] = ()
    """Positions of earlier nodes."""
    size: tuple[int, int] | None = None
    """Rows and columns of an input or a weight; first row and number of rows of a slice."""
    seed: int = 0
    """Of the values of an input or a weight; of the size of a product's results."""

    def __str__(self) -> str:
        """Return it in one line."""
        words = [self.kind, *map(str, self.operands)]
        if self.size is not None:
            first, second = self.size
            words.append(
                f"rows {first}..{first + second - 1}" if self.kind == "slice" else f"{first}×{second}"
            )
        if self.seed:
            words.append(f"seed {self.seed}")
        return " ".join(words)


@dataclass(frozen=True)
class GraphPlan:
    """A graph, its nodes in the order in which they are added; prints one node a line."""

    nodes: tuple[NodePlan, ...]

    def __str__(self) -> str:
        """Return every node with its number."""
        return "\n".join(f"{number:3} {node}" for number, node in enumerate(self.nodes))

    def readers(self, node: int) -> list[int]:
        """Return the positions of the nodes that read a node, in order and once for each operand."""
        return [
            number for number, each in enumerate(self.nodes) for operand in each.operands if operand == node
        ]
