"""The graph of one plain decode step."""

from __future__ import annotations

from refmodel.capra.graph import Graph
from refmodel.language.layer_graph import add_head, add_rest
from refmodel.language.target import SCORE_FACTOR, TargetModel


def plain_step(target: TargetModel, context: int) -> Graph:
    """Return the step that consumes one token over a cache of context − 1 rows.

    Inputs `x` (1, D), `kc` and `vc` (context − 1, D), absent at context 1; outputs in order `tok` (1, 1),
    `logits` (1, V), `k_new` (1, D), `v_new` (1, D).
    """
    graph = Graph()
    head = add_head(graph, target, rows=1, cached=context - 1)
    scores = graph.name(graph.matmul(head.q, head.keys, transpose_b=True, scale=SCORE_FACTOR), "scores")
    probabilities = graph.name(graph.softmax(scores), "probabilities")
    attention = graph.tag(graph.matmul(probabilities, head.values), "attn")
    add_rest(graph, target, head, attention)
    return graph
