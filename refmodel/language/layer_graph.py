"""What the graphs of the plain step and the verifier block have in common; they differ in attention only.

The order in which nodes are added decides the external layout and the order of loads, so it is part of the
interface: x, q, k, v, cached keys and their concatenation, the same for values, attention, Wo, add, W1,
relu, W2, add, logits, outputs; each weight just before its product. Every tensor that has a role in scale
planning carries it as its tag.
"""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.capra.graph import Graph
from refmodel.language.target import WIDTH, TargetModel

INPUT = "x"
CACHED_KEYS = "kc"
CACHED_VALUES = "vc"
"""Names of the inputs: embeddings (m, D), and cached keys and values (c, D), absent at c = 0."""


@dataclass(frozen=True)
class LayerHead:
    """Node ids up to attention."""

    x: int
    q: int
    new_keys: int
    new_values: int
    keys: int
    """Cached and new keys, (c + m, D)."""
    values: int


def add_head(graph: Graph, target: TargetModel, rows: int, cached: int) -> LayerHead:
    """Add the inputs and projections of `rows` tokens over a cache of `cached` rows."""
    x = graph.tag(graph.input(INPUT, (rows, WIDTH)), "x")
    q = graph.tag(graph.matmul(x, graph.weight("wq", target.wq)), "q")
    k = graph.tag(graph.matmul(x, graph.weight("wk", target.wk)), "k")
    v = graph.tag(graph.matmul(x, graph.weight("wv", target.wv)), "v")
    keys = _after_cache(graph, CACHED_KEYS, cached, k, "k")
    values = _after_cache(graph, CACHED_VALUES, cached, v, "v")
    return LayerHead(x, q, k, v, keys, values)


def add_rest(graph: Graph, target: TargetModel, head: LayerHead, attention: int) -> None:
    """Add what follows attention, and the outputs `tok`, `logits`, `k_new` and `v_new`."""
    projected = graph.tag(graph.matmul(attention, graph.weight("wo", target.wo)), "wo")
    graph.name(projected, "projected")
    h = graph.tag(graph.add(head.x, projected), "h")
    before_relu = graph.name(graph.matmul(h, graph.weight("w1", target.w1)), "before_relu")
    hidden = graph.tag(graph.relu(before_relu), "relu")
    product = graph.tag(graph.matmul(hidden, graph.weight("w2", target.w2)), "ffn")
    y = graph.tag(graph.add(h, product), "y")
    logits = graph.tag(graph.matmul(y, graph.weight("wout", target.wout)), "logits")
    graph.output(graph.argmax(logits), "tok")
    graph.output(logits, "logits")
    graph.output(head.new_keys, "k_new")
    graph.output(head.new_values, "v_new")


def _after_cache(graph: Graph, name: str, cached: int, new_rows: int, role: str) -> int:
    """Add the cached rows above the new ones, or nothing when the cache is empty."""
    if cached == 0:
        return new_rows
    cache = graph.tag(graph.input(name, (cached, WIDTH)), role)
    return graph.tag(graph.concat_rows(cache, new_rows), role)
