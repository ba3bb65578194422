"""The graph builder: what a user writes, one method an operation, checked as it is written."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.errors import CompileError
from refmodel.capra.nodes import (
    AddNode,
    ArgMaxNode,
    ConcatNode,
    GivenName,
    InputNode,
    MatMulNode,
    NamedNode,
    Node,
    OutputNode,
    ReluNode,
    Shape,
    SliceNode,
    SoftmaxNode,
    WeightNode,
)
from refmodel.capra.reals import real_array


class Graph:
    """A list of operations in the order they were added; every method returns the id of its node.

    Ids count from 0. A method raises CompileError, naming the node it would have made, when shapes do not
    match, a name is taken, an operand does not exist or a number is not finite. What only the whole graph
    shows is refused by `compile_graph`.
    """

    def __init__(self) -> None:
        """Start with no node."""
        self._nodes: list[Node] = []
        self._tags: list[tuple[int, str]] = []
        self._names: dict[int, GivenName] = {}
        self._labels: dict[str, int] = {}  # where a name was given, for names that must be unique

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node, indexed by its id."""
        return tuple(self._nodes)

    @property
    def tags(self) -> tuple[tuple[int, str], ...]:
        """Pairs of node id and tag, in the order they were given."""
        return tuple(self._tags)

    @property
    def names(self) -> Mapping[int, GivenName]:
        """What `name` was told, by node id."""
        return self._names

    def copy(self) -> Graph:
        """Return a graph of the same nodes and tags that grows independently."""
        twin = Graph()
        twin._nodes, twin._tags, twin._labels = self._nodes.copy(), self._tags.copy(), self._labels.copy()
        twin._names = self._names.copy()
        return twin

    def describe(self, node: int) -> str:
        """Return the id, kind and name of a node as messages spell them, as in `node 3 (weight 'Wq')`."""
        return f"node {node} ({self._nodes[node].label})"

    def refusal(self, node: int, reason: str) -> CompileError:
        """Return the error that refuses the graph because of a node."""
        return CompileError(f"{self.describe(node)}: {reason}")

    def input(self, name: str, shape: Shape) -> int:
        """Add a tensor of `shape` (rows, columns) that every run provides under `name`."""
        label = f"input '{name}'"
        self._check_name_is_free(label)
        try:
            rows, columns = (operator.index(size) for size in shape)
        except (TypeError, ValueError) as error:
            reason = f"its shape {shape} is not two-dimensional, (rows, columns) in whole numbers"
            raise self._refuse(label, reason) from error
        if rows < 1 or columns < 1:
            raise self._refuse(label, f"its shape {rows}×{columns} is empty")
        return self._append(InputNode((rows, columns), (), name))

    def weight(self, name: str, array: ArrayLike) -> int:
        """Add a constant tensor; the values are copied."""
        label = f"weight '{name}'"
        try:
            values = real_array(array)
        except ValueError as error:
            raise self._refuse(label, str(error)) from error
        if values.ndim != 2:
            raise self._refuse(label, f"its shape {values.shape} is not two-dimensional")
        if values.size == 0:
            raise self._refuse(label, f"its shape {values.shape[0]}×{values.shape[1]} is empty")
        if not np.isfinite(values).all():
            raise self._refuse(label, "its values contain NaN or infinity")
        values.setflags(write=False)
        return self._append(WeightNode((values.shape[0], values.shape[1]), (), name, values))

    def matmul(self, a: int, b: int, transpose_b: bool = False, scale: float = 1.0) -> int:
        """Add scale · A · B, or scale · A · Bᵀ when `transpose_b`; `scale` is a positive real factor."""
        (rows, inner), b_shape = self._shapes("matmul", a, b)
        b_inner, columns = b_shape[::-1] if transpose_b else b_shape
        if inner != b_inner:
            transposed = " transposed" if transpose_b else ""
            reason = f"mismatched shapes {rows}×{inner} and {b_shape[0]}×{b_shape[1]}{transposed}"
            raise self._refuse(f"matmul of {self.describe(a)} and {self.describe(b)}", reason)
        if not math.isfinite(scale) or scale <= 0:
            raise self._refuse("matmul", f"its factor {scale} is not a positive finite number")
        return self._append(MatMulNode((rows, columns), (a, b), transpose_b, float(scale)))

    def softmax(self, a: int) -> int:
        """Add the softmax of each row of A."""
        (shape,) = self._shapes("softmax", a)
        return self._append(SoftmaxNode(shape, (a,)))

    def add(self, a: int, b: int) -> int:
        """Add the elementwise sum of A and B."""
        shape, b_shape = self._shapes("add", a, b)
        if shape != b_shape:
            reason = f"mismatched shapes {shape[0]}×{shape[1]} and {b_shape[0]}×{b_shape[1]}"
            raise self._refuse(f"add of {self.describe(a)} and {self.describe(b)}", reason)
        return self._append(AddNode(shape, (a, b)))

    def relu(self, a: int) -> int:
        """Add max(A, 0); A must be a matmul that nothing else reads."""
        (shape,) = self._shapes("relu", a)
        return self._append(ReluNode(shape, (a,)))

    def concat_rows(self, a: int, b: int) -> int:
        """Add the rows of A above the rows of B."""
        (rows, columns), (b_rows, b_columns) = self._shapes("concat", a, b)
        if columns != b_columns:
            reason = f"mismatched shapes {rows}×{columns} and {b_rows}×{b_columns}"
            raise self._refuse(f"concat of {self.describe(a)} and {self.describe(b)}", reason)
        return self._append(ConcatNode((rows + b_rows, columns), (a, b)))

    def slice_rows(self, a: int, start: int, count: int) -> int:
        """Add the view of `count` rows of A from row `start` on."""
        ((rows, columns),) = self._shapes("slice", a)
        label = f"slice of {self.describe(a)}"
        if count < 1:
            raise self._refuse(label, f"it is empty ({count} rows)")
        if start < 0 or start + count > rows:
            raise self._refuse(label, f"rows {start}..{start + count - 1} are out of range 0..{rows - 1}")
        return self._append(SliceNode((count, columns), (a,), start))

    def argmax(self, a: int) -> int:
        """Add the column index of the first maximum of each row of A (a column of plain integers)."""
        ((rows, _),) = self._shapes("argmax", a)
        return self._append(ArgMaxNode((rows, 1), (a,)))

    def output(self, a: int, name: str) -> int:
        """Store A to external memory under `name`."""
        label = f"output '{name}'"
        self._check_name_is_free(label)
        (shape,) = self._shapes(label, a, indices_allowed=True)
        return self._append(OutputNode(shape, (a,), name))

    def tag(self, a: int, name: str) -> int:
        """Name the tensor A, so that `ranges` can fix the range of its group; returns A itself."""
        self._shapes(f"tag '{name}'", a)
        self._tags.append((a, name))
        return a

    def name(self, a: int, name: str, first_row: int | None = None) -> int:
        """Tell under which name people know the computed tensor A; returns A itself.

        Several tensors may be rows of what one name means: `first_row` is the number of A's first row there.
        The name is for the source map and decides nothing. Inputs, weights and outputs have their own;
        concatenations and slices, which are views, show under the names of what they consist of.
        """
        given = GivenName(name, first_row)
        label = f"name '{name}'" if first_row is None else f"name '{name}' from row {first_row}"
        self._shapes(label, a, indices_allowed=True)
        if isinstance(self._nodes[a], NamedNode | ConcatNode | SliceNode):
            raise self._refuse(label, f"{self.describe(a)} is not computed by instructions of its own")
        if first_row is not None and first_row < 0:
            raise self._refuse(label, "rows are counted from 0")
        if a in self._names:
            raise self._refuse(label, f"{self.describe(a)} already is '{self._names[a].name}'")
        if given in self._names.values():
            raise self._refuse(label, "another tensor has this name already")
        self._names[a] = given
        return a

    def _append(self, node: Node) -> int:
        self._labels[node.label] = len(self._nodes)
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _refuse(self, label: str, reason: str) -> CompileError:
        return CompileError(f"node {len(self._nodes)} ({label}): {reason}")

    def _check_name_is_free(self, label: str) -> None:
        if label in self._labels:
            raise self._refuse(label, f"the name is already taken by node {self._labels[label]}")

    def _shapes(self, label: str, *operands: int, indices_allowed: bool = False) -> list[Shape]:
        """Return the operands' shapes after checking that each of them is a tensor that may be read."""
        shapes = []
        for operand in operands:
            if operand not in range(len(self._nodes)):
                raise self._refuse(label, f"its operand {operand} is not the id of an earlier node")
            node = self._nodes[operand]
            if isinstance(node, OutputNode):
                raise self._refuse(label, f"{self.describe(operand)} cannot be read; use its source")
            if isinstance(node, ArgMaxNode) and not indices_allowed:
                raise self._refuse(
                    label, f"{self.describe(operand)} holds indices, which only an output reads"
                )
            shapes.append(node.shape)
        return shapes
