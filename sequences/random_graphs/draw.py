"""A legal random plan from a seed: integers alone are drawn, so it is the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from refmodel.isa.limits import MAX_DEPTH
from sequences.random_graphs.limits import violation
from sequences.random_graphs.memory import fits
from sequences.random_graphs.plan import GraphPlan, Kind, NodePlan, Shape
from sequences.random_graphs.shapes import shapes

MAX_ROWS = 60
MAX_ROUNDINGS = 8
"""Longest chain of operations that round: longer ones say more of int8 than of the compiler."""

NODE_SEEDS = 1 << 16

Item = TypeVar("Item")


def draw_plan(seed: int) -> GraphPlan:
    """Return the plan of a seed: a few moves, each of which adds what makes a tensor from those there are."""
    return _Drawing(seed).run()


class _Drawing:
    """A plan that grows; a move that would break a limit or might not fit is not made."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, 30])))
        self._plan = GraphPlan(())

    def run(self) -> GraphPlan:
        """Draw everything."""
        moves = (
            self._linear, self._fused_relu, self._residual, self._feed_forward, self._sum, self._product,
            self._head, self._softmax, self._concat, self._concat, self._slice, self._slice, self._argmax,
            self._store,
        )  # fmt: skip
        self._add(self._input(self._rows(), self._columns()))
        wanted = self._between(2, 12)
        made = 0
        for _ in range(4 * wanted):
            made += self._choose(moves)()
            if made == wanted:
                break
        self._store_what_nothing_reads()
        if self._percent(20):
            self._add(self._input(2, 3))  # read by nobody
        return self._plan

    # --- Moves: each tells whether it was made ---------------------------------------------------------

    def _linear(self) -> bool:
        a = self._pick()
        transposed = self._percent(40)
        inner, columns = self._shape(a)[1], self._columns()
        weight = self._weight(columns, inner) if transposed else self._weight(inner, columns)
        return self._add(weight, self._matmul(a, self._next, transposed))

    def _fused_relu(self) -> bool:
        a = self._pick()
        weight = self._weight(self._shape(a)[1], self._columns())
        return self._add(weight, self._matmul(a, self._next), NodePlan("relu", (self._next + 1,)))

    def _residual(self) -> bool:
        a = self._pick()
        inner = self._shape(a)[1]
        product = self._next + 1
        return self._add(
            self._weight(inner, inner), self._matmul(a, self._next), self._either_way("add", a, product)
        )

    def _feed_forward(self) -> bool:
        a = self._pick()
        inner, hidden, first = self._shape(a)[1], self._columns(), self._next
        return self._add(
            self._weight(inner, hidden),
            self._matmul(a, first),
            NodePlan("relu", (first + 1,)),
            self._weight(hidden, inner),
            self._matmul(first + 2, first + 3),
            self._either_way("add", a, first + 4),
        )

    def _sum(self) -> bool:
        a = self._pick()
        same = [node for node in self._tensors() if self._shape(node) == self._shape(a)]
        return self._add(NodePlan("add", (a, self._choose(same))))

    def _product(self) -> bool:
        """Multiply two tensors that are there."""
        a = self._pick()
        transposed = self._percent(50)
        side = 1 if transposed else 0
        partners = [node for node in self._tensors() if self._shape(node)[side] == self._shape(a)[1]]
        return bool(partners) and self._add(self._matmul(a, self._choose(partners), transposed))

    def _head(self) -> bool:
        """Attention: some rows against all, their softmax, and a weighted sum."""
        keys = self._pick()
        rows, width = self._shape(keys)
        values = [node for node in self._tensors() if self._shape(node)[0] == rows]
        queries = [node for node in self._tensors() if self._shape(node)[1] == width]
        query, first = self._choose(queries), self._next
        count = self._between(1, min(4, self._shape(query)[0]))
        start = self._between(0, self._shape(query)[0] - count)
        return self._add(
            NodePlan("slice", (query,), (start, count)),
            self._matmul(first, keys, transposed=True),
            NodePlan("softmax", (first + 1,)),
            self._matmul(first + 2, self._choose(values)),
        )

    def _softmax(self) -> bool:
        """The softmax of fresh scores, of their sum with others, or of anything."""
        a = self._pick()
        if self._percent(25):
            return self._add(NodePlan("softmax", (a,)))
        inner, columns, first = self._shape(a)[1], self._columns(), self._next
        scores = [self._weight(inner, columns), self._matmul(a, first)]
        if self._percent(60):
            return self._add(*scores, NodePlan("softmax", (first + 1,)))
        more = [self._weight(inner, columns), self._matmul(a, first + 2)]
        joined: Kind = "add" if self._percent(50) else "concat"
        return self._add(
            *scores, *more, NodePlan(joined, (first + 1, first + 3)), NodePlan("softmax", (first + 4,))
        )

    def _concat(self) -> bool:
        a = self._pick()
        columns = self._shape(a)[1]
        partners = [node for node in self._tensors() if node != a and self._shape(node)[1] == columns]
        if partners and self._percent(60):
            return self._add(self._either_way("concat", a, self._choose(partners)))
        added = self._weight if self._percent(30) else self._input
        return self._add(added(self._rows(), columns), self._either_way("concat", a, self._next))

    def _slice(self) -> bool:
        a = self._pick()
        rows = self._shape(a)[0]
        count = self._between(1, rows)
        return self._add(NodePlan("slice", (a,), (self._between(0, rows - count), count)))

    def _argmax(self) -> bool:
        return self._add(NodePlan("argmax", (self._pick(),)), NodePlan("output", (self._next,)))

    def _store(self) -> bool:
        return self._add(NodePlan("output", (self._pick(),)))

    def _store_what_nothing_reads(self) -> None:
        for node, each in enumerate(self._plan.nodes):
            if each.kind not in ("input", "weight", "output") and not self._plan.readers(node):
                self._add(NodePlan("output", (node,)))
        if not any(each.kind == "output" for each in self._plan.nodes):
            self._add(NodePlan("output", (0,)))

    # --- Nodes -----------------------------------------------------------------------------------------

    def _input(self, rows: int, columns: int) -> NodePlan:
        return NodePlan("input", (), (rows, columns), self._seed())

    def _weight(self, rows: int, columns: int) -> NodePlan:
        return NodePlan("weight", (), (rows, columns), self._seed())

    def _matmul(self, a: int, b: int, transposed: bool = False) -> NodePlan:
        return NodePlan("transposed" if transposed else "matmul", (a, b), seed=self._seed())

    def _either_way(self, kind: Kind, a: int, b: int) -> NodePlan:
        return NodePlan(kind, (a, b) if self._percent(50) else (b, a))

    def _add(self, *nodes: NodePlan) -> bool:
        """Add nodes if the plan stays legal; tell whether it does."""
        grown = GraphPlan(self._plan.nodes + nodes)
        legal = violation(grown) is None and fits(grown) and max(roundings(grown)) <= MAX_ROUNDINGS
        if legal:
            self._plan = grown
        return legal

    # --- Choices ---------------------------------------------------------------------------------------

    @property
    def _next(self) -> int:
        return len(self._plan.nodes)

    def _shape(self, node: int) -> Shape:
        return shapes(self._plan)[node]

    def _tensors(self) -> list[int]:
        """Return what may be read."""
        return [node for node, each in enumerate(self._plan.nodes) if each.kind not in ("argmax", "output")]

    def _pick(self) -> int:
        """Return a tensor, more often than not a young one."""
        tensors = self._tensors()
        return self._choose(tensors[-4:] if self._percent(60) else tensors)

    def _rows(self) -> int:
        return self._between(1, 8 if self._percent(50) else MAX_ROWS)

    def _columns(self) -> int:
        return self._between(1, 16) if self._percent(80) else self._between(17, MAX_DEPTH)

    def _seed(self) -> int:
        return self._between(1, NODE_SEEDS - 1)

    def _percent(self, percent: int) -> bool:
        return self._between(1, 100) <= percent

    def _choose(self, items: Sequence[Item]) -> Item:
        return items[self._between(0, len(items) - 1)]

    def _between(self, lowest: int, highest: int) -> int:
        return int(self._generator.integers(lowest, highest, endpoint=True))


def roundings(plan: GraphPlan) -> list[int]:
    """Return for every node the longest chain of operations up to it that round."""
    depths: list[int] = []
    for each in plan.nodes:
        rounds = each.kind in ("matmul", "transposed", "softmax", "add")
        depths.append(max((depths[operand] for operand in each.operands), default=0) + rounds)
    return depths
