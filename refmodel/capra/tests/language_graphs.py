"""The shapes of the language models' graphs over arbitrary weights, for the published counts.

Only sizes, counts and cycles are taken from them; the real models are in `refmodel.language`.
"""

from __future__ import annotations

import numpy as np

from refmodel.capra.graph import Graph
from refmodel.numerics.quantization import FloatArray

WIDTH = 16
FEED_FORWARD = 32

SUM_RANGES = {"h": 40.0, "y": 60.0}
"""Ranges of the two sums that no operand shares, so that all four operands are rescaled as in real models."""

Sample = dict[str, FloatArray]


class LanguageGraph:
    """One transformer layer of width 16, built step by step into a graph."""

    def __init__(self, rows: int, cached: int, generator: np.random.Generator) -> None:
        self.graph = Graph()
        self._generator = generator
        self._x = self.graph.tag(self.graph.input("x", (rows, WIDTH)), "x")
        self.queries = self._project(self._x, "Wq")
        self.k_new = self.graph.tag(self._project(self._x, "Wk"), "k")
        self.v_new = self.graph.tag(self._project(self._x, "Wv"), "v")
        self.keys = self._with_cache("kc", cached, self.k_new)
        self.values = self._with_cache("vc", cached, self.v_new)

    def attend(self, queries: int, keys: int, values: int) -> int:
        scores = self.graph.matmul(queries, keys, transpose_b=True, scale=0.25)
        return self.graph.matmul(self.graph.softmax(scores), values)

    def finish(self, attention: int) -> Graph:
        graph = self.graph
        hidden = graph.tag(graph.add(self._x, self._project(attention, "Wo")), "h")
        relu = graph.relu(self._project(hidden, "W1", (WIDTH, FEED_FORWARD)))
        total = graph.tag(graph.add(hidden, self._project(relu, "W2", (FEED_FORWARD, WIDTH))), "y")
        logits = self._project(total, "Wout")
        graph.output(graph.argmax(logits), "tok")
        graph.output(logits, "logits")
        graph.output(self.k_new, "k_new")
        graph.output(self.v_new, "v_new")
        return graph

    def _project(self, a: int, name: str, shape: tuple[int, int] = (WIDTH, WIDTH)) -> int:
        weight = self.graph.weight(name, self._generator.normal(0.0, 0.3, shape))
        return self.graph.matmul(a, weight)

    def _with_cache(self, name: str, cached: int, new_rows: int) -> int:
        return self.graph.concat_rows(self.graph.input(name, (cached, WIDTH)), new_rows)


def plain_graph(context: int, seed: int = 1) -> Graph:
    """One row over a cache of context − 1 ≥ 1 rows."""
    layer = LanguageGraph(1, context - 1, np.random.default_rng(seed))
    return layer.finish(layer.attend(layer.queries, layer.keys, layer.values))


def verifier_graph(rows: int, cached: int, seed: int = 1) -> Graph:
    """`rows` rows over a cache, row i attending to the cache and rows 0..i of the block."""
    layer = LanguageGraph(rows, cached, np.random.default_rng(seed))
    graph = layer.graph
    attention = -1
    for row in range(rows):
        query = graph.slice_rows(layer.queries, row, 1)
        visible = cached + row + 1
        attended = layer.attend(
            query, graph.slice_rows(layer.keys, 0, visible), graph.slice_rows(layer.values, 0, visible)
        )
        attention = attended if row == 0 else graph.concat_rows(attention, attended)
    graph.output(attention, "attn")
    return layer.finish(attention)


def draft_graph(seed: int = 1) -> Graph:
    """A bigram table: one product and its argmax."""
    graph = Graph()
    weight_values = np.random.default_rng(seed).normal(size=(WIDTH, WIDTH))
    logits = graph.matmul(graph.input("x", (1, WIDTH)), graph.weight("Wd", weight_values))
    graph.output(graph.argmax(logits), "tok")
    graph.output(logits, "logits")
    return graph


def language_samples(rows: int, cached: int, count: int = 8, seed: int = 2) -> list[Sample]:
    """Random inputs for a graph of `rows` rows over a cache; `cached` 0 leaves the cache out."""
    generator = np.random.default_rng(seed)
    names = {"x": rows} | ({"kc": cached, "vc": cached} if cached else {})
    return [
        {name: generator.normal(size=(length, WIDTH)) for name, length in names.items()} for _ in range(count)
    ]
