"""The graph of one verifier block: several tokens at once, each seeing the cache and the tokens before it."""

from __future__ import annotations

from refmodel.capra.graph import Graph
from refmodel.language.layer_graph import add_head, add_rest
from refmodel.language.target import SCORE_FACTOR, TargetModel


def verifier_block(target: TargetModel, cached: int, rows: int) -> Graph:
    """Return the block of `rows` tokens over a cache of `cached` rows.

    The chip has no mask: row i attends to the slice 0..cached + i of keys and values. Inputs `x` (rows, D),
    `kc` and `vc` (cached, D), absent at cached = 0; outputs in order `attn` (rows, D), `tok` (rows, 1),
    `logits` (rows, V), `k_new` and `v_new` (rows, D).
    """
    graph = Graph()
    head = add_head(graph, target, rows, cached)
    attention = _attention_row(graph, head.q, head.keys, head.values, cached, 0)
    for row in range(1, rows):
        below = _attention_row(graph, head.q, head.keys, head.values, cached, row)
        attention = graph.tag(graph.concat_rows(attention, below), "attn")
    graph.output(attention, "attn")
    add_rest(graph, target, head, attention)
    return graph


def _attention_row(graph: Graph, queries: int, keys: int, values: int, cached: int, row: int) -> int:
    """Add the attention of one row of the block over the tokens that it may see.

    Each row is a tensor by itself, known as that row of the scores, probabilities and attention of the block.
    """
    query = graph.slice_rows(queries, row, 1)
    seen_keys = graph.slice_rows(keys, 0, cached + row + 1)
    seen_values = graph.slice_rows(values, 0, cached + row + 1)
    scores = graph.matmul(query, seen_keys, transpose_b=True, scale=SCORE_FACTOR)
    probabilities = graph.softmax(graph.name(scores, "scores", row))
    attention = graph.matmul(graph.name(probabilities, "probabilities", row), seen_values)
    return graph.tag(graph.name(attention, "attn", row), "attn")
