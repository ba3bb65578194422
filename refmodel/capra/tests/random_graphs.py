"""Random graphs with samples, each built around one operation.

Every operation can be put anywhere: it takes operands that exist where they fit and makes new ones where
they do not. Graphs are legal by construction and tame enough for a bound on their error: chains are short,
scores stay below 127/16 and are read by softmaxes only.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np

from refmodel.capra.evaluator import meaning
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import InputNode, WeightNode
from refmodel.numerics.quantization import FloatArray

OPERATIONS = ("matmul", "transposed", "softmax", "add", "relu", "concat", "argmax")
"""What a graph can be built around; slices come on top of these."""

SAMPLES = 4
MAX_DEPTH = 6
"""Longest chain of operations that round."""


class RandomGraph:
    """One random graph, its samples and the real value of every node on all of them."""

    def __init__(self, seed: int, slices: bool = False, wide: bool = False) -> None:
        """Build the graph of `seed`, around operation number `seed` modulo the number of operations.

        With `slices` there are slices of everything and products of computed tensors; with `wide` tensors are
        so large that some graphs only fit where the scratchpad is reused.
        """
        self.graph = Graph()
        self.samples: list[dict[str, FloatArray]] = [{} for _ in range(SAMPLES)]
        self._random = random.Random(seed)
        self._numbers = np.random.default_rng(seed)
        self._slices = slices
        self._largest = 32 if wide else 8
        self._values: list[FloatArray] = []
        self._depths: list[int] = []
        self._roles: list[str] = []
        self._readable: list[int] = []
        self._concatenated: set[int] = set()
        self._sliced: set[int] = set()
        around = "slice" if slices and seed % 2 else OPERATIONS[seed % len(OPERATIONS)]
        choices = (*OPERATIONS, "slice") if slices else OPERATIONS
        self.operations = [around] * 2 + self._random.choices(choices, k=5)
        self._random.shuffle(self.operations)
        makers: dict[str, Callable[[], int]] = {
            "matmul": lambda: self._matmul(self._pick()),
            "transposed": lambda: self._matmul(self._pick(), transpose=True),
            "softmax": self._softmax,
            "add": self._add,
            "relu": self._relu,
            "concat": self._concat,
            "argmax": self._argmax,
            "slice": lambda: self._slice(self._pick()),
        }
        for operation in self.operations:
            makers[operation]()
        self._add_outputs()

    def values(self, node: int) -> FloatArray:
        """Return the real values of a node, [samples, rows, columns]."""
        return np.broadcast_to(self._values[node], (SAMPLES, *self.graph.nodes[node].shape))

    def _length(self) -> int:
        return self._random.randint(1, self._largest)

    def _register(self, node: int, role: str = "", readable: bool = True) -> int:
        """Evaluate a node that was just added and make it available to later operations."""
        operation = self.graph.nodes[node]
        if isinstance(operation, InputNode):
            value = self._numbers.normal(size=(SAMPLES, *operation.shape))
            for sample, array in zip(self.samples, value, strict=True):
                sample[operation.name] = array
        elif isinstance(operation, WeightNode):
            value = operation.values
        else:
            value = meaning(operation, [self._values[operand] for operand in operation.operands])
        self._values.append(value)
        rounds = operation.kind in ("matmul", "softmax", "add")
        deepest = max((self._depths[operand] for operand in operation.operands), default=0)
        self._depths.append(deepest + rounds)
        self._roles.append(role)
        if readable:
            self._readable.append(node)
        return node

    def _input(self, rows: int, columns: int) -> int:
        return self._register(self.graph.input(f"in{len(self._values)}", (rows, columns)))

    def _weight(self, rows: int, columns: int) -> int:
        values = self._numbers.normal(size=(rows, columns))
        return self._register(self.graph.weight(f"w{len(self._values)}", values), readable=False)

    def _pick(self, fits: Callable[[int], bool] = lambda _: True) -> int:
        """Return a tensor that may be read and fits, or a new input when there is none or by chance."""
        found = [node for node in self._readable if self._depths[node] < MAX_DEPTH and fits(node)]
        if found and self._random.random() < 0.85:
            node = self._random.choice(found)
            if self._slices and node not in self._sliced and self._random.random() < 0.3:
                return self._slice(node)
            return node
        return self._input(self._length(), self._length())

    def _matmul(
        self, a: int, columns: int | None = None, transpose: bool = False, readable: bool = True
    ) -> int:
        """Multiply A with a weight or, in graphs with slices, sometimes with a computed tensor."""
        inner = self.graph.nodes[a].shape[1]
        partners = [
            node
            for node in self._readable
            if self.graph.nodes[node].shape[transpose] == inner
            and columns in (None, self.graph.nodes[node].shape[not transpose])
            and self._depths[node] < MAX_DEPTH
        ]
        if self._slices and partners and self._random.random() < 0.5:
            b = self._random.choice(partners)
        else:
            columns = columns or self._length()
            b = self._weight(*((columns, inner) if transpose else (inner, columns)))
        factor = self._factor(a, b, transpose, largest=2.0 ** self._random.uniform(-1, 2))
        return self._register(self.graph.matmul(a, b, transpose, factor), readable=readable)

    def _factor(self, a: int, b: int, transpose: bool, largest: float) -> float:
        """Return a factor that makes `largest` the largest absolute result of a product.

        A product that happens to cancel stays small: to blow it up would blow up its rounding errors.
        """
        left = self._values[a]
        right = self._values[b].swapaxes(-1, -2) if transpose else self._values[b]
        found = float(np.abs(np.matmul(left, right)).max())
        typical = float(np.sqrt(left.shape[-1] * np.square(left).mean() * np.square(right).mean()))
        return largest / (max(found, typical) or 1.0)

    def _scores(self, largest: float, rows: int | None = None, columns: int | None = None) -> int:
        """Multiply so that the largest absolute result is `largest`."""
        a = self._pick(lambda node: rows in (None, self.graph.nodes[node].shape[0]))
        if rows not in (None, self.graph.nodes[a].shape[0]):
            a = self._input(rows or 1, self._length())
        inner = self.graph.nodes[a].shape[1]
        keys = [node for node in self._readable if self.graph.nodes[node].shape == (columns or 1, inner)]
        if not columns:
            keys = [node for node in self._readable if self.graph.nodes[node].shape[1] == inner]
        if self._slices and keys:
            b = self._random.choice(keys)
        else:
            b = self._weight(columns or self._length(), inner)
        factor = self._factor(a, b, True, largest)
        return self._register(
            self.graph.matmul(a, b, transpose_b=True, scale=factor), role="scores", readable=False
        )

    def _softmax(self) -> int:
        largest = self._random.uniform(1.0, 7.0)
        composed = self._random.choice(("", "", "sum", "concat"))
        if composed == "sum":
            largest /= 2  # so that the sum stays below 127/16
        scores = self._scores(largest)
        rows, columns = self.graph.nodes[scores].shape
        if composed == "sum":
            total = self.graph.add(scores, self._scores(largest, rows, columns))
            scores = self._register(total, role="scores", readable=False)
        elif composed == "concat":
            lower = self._scores(largest, columns=columns)
            self._concatenated |= {scores, lower}
            both = self.graph.concat_rows(scores, lower)
            scores = self._register(both, role="scores", readable=False)
        if self._slices and self._random.random() < 0.3:
            scores = self._slice(scores)
        return self._register(self.graph.softmax(scores), role="probabilities")

    def _add(self) -> int:
        a = self._pick()
        shape = self.graph.nodes[a].shape
        partners = [node for node in self._readable if self.graph.nodes[node].shape == shape]
        if partners and self._random.random() < 0.5:
            b = self._random.choice(partners)
        else:
            b = self._matmul(self._input(shape[0], self._length()), columns=shape[1])
        return self._register(self.graph.add(*self._random.sample((a, b), 2)))

    def _relu(self) -> int:
        return self._register(self.graph.relu(self._matmul(self._pick(), readable=False)))

    def _concat(self) -> int:
        def free(node: int) -> bool:
            return node not in self._concatenated | self._sliced and not self._roles[node]

        upper = self._pick(free)
        if not free(upper):
            upper = self._input(self._length(), self._length())
        columns = self.graph.nodes[upper].shape[1]
        found = [
            node
            for node in self._readable
            if node != upper and free(node) and self.graph.nodes[node].shape[1] == columns
        ]
        if found and self._random.random() < 0.5:
            lower = self._random.choice(found)
        elif self._random.random() < 0.5:
            lower = self._input(self._length(), columns)
        else:
            lower = self._matmul(self._input(self._length(), self._length()), columns=columns)
            if lower in self._sliced:
                lower = self._input(self._length(), columns)
        self._concatenated |= {upper, lower}
        return self._register(self.graph.concat_rows(upper, lower))

    def _argmax(self) -> int:
        node = self.graph.argmax(self._pick())
        return self._register(node, readable=False)

    def _slice(self, source: int) -> int:
        rows = self.graph.nodes[source].shape[0]
        count = self._random.randint(1, rows)
        start = self._random.randint(0, rows - count)
        role = self._roles[source]
        node = self._register(self.graph.slice_rows(source, start, count), role, role != "scores")
        self._sliced.add(node)
        return node

    def _add_outputs(self) -> None:
        """Store what nothing reads and, by chance, what something does; leave an input unread by chance."""
        read = {operand for node in self.graph.nodes for operand in node.operands}
        indices = [node for node, operation in enumerate(self.graph.nodes) if operation.kind == "argmax"]
        scores = [node for node, role in enumerate(self._roles) if role == "scores"]
        for node in sorted(self._readable + indices + scores):
            if node not in read or self._random.random() < 0.3:
                self._register(self.graph.output(node, f"out{node}"), readable=False)
        if self._random.random() < 0.3:
            self._input(2, 3)
