"""The graph of one draft step: a bigram table as a matrix product."""

from __future__ import annotations

from refmodel.capra.graph import Graph
from refmodel.language.draft import DraftModel
from refmodel.language.layer_graph import INPUT
from refmodel.language.target import WIDTH


def draft_step(draft: DraftModel) -> Graph:
    """Return the step that guesses a successor: input `x` (1, D), outputs `tok` (1, 1), `logits` (1, V)."""
    graph = Graph()
    x = graph.input(INPUT, (1, WIDTH))
    logits = graph.matmul(x, graph.weight("wd", draft.wd))
    graph.output(graph.argmax(logits), "tok")
    graph.output(logits, "logits")
    return graph
