"""The graphs: node order, ports and tags as documented, and the same meaning as the float model."""

from __future__ import annotations

import numpy as np
import pytest

from refmodel.capra.evaluator import evaluate_outputs
from refmodel.capra.graph import Graph
from refmodel.language.calibration import sample
from refmodel.language.draft import bigram_draft
from refmodel.language.draft_step import draft_step
from refmodel.language.float_model import float_block, float_step
from refmodel.language.plain_step import plain_step
from refmodel.language.target import random_target, sharp, structured
from refmodel.language.verifier_block import verifier_block


def labels(graph: Graph) -> list[str]:
    return [node.label for node in graph.nodes]


def named(graph: Graph, kind: str) -> list[str]:
    """Return the names of inputs, weights or outputs in node order."""
    return [node.name for node in graph.nodes if node.kind == kind]  # type: ignore[attr-defined]


def tags(graph: Graph) -> list[tuple[str, str]]:
    return [(tag, graph.nodes[node].kind) for node, tag in graph.tags]


REST = [
    "weight 'wo'", "matmul", "add", "weight 'w1'", "matmul", "relu", "weight 'w2'", "matmul", "add",
    "weight 'wout'", "matmul", "argmax",
    "output 'tok'", "output 'logits'", "output 'k_new'", "output 'v_new'",
]  # fmt: skip
PROJECTIONS = ["input 'x'", "weight 'wq'", "matmul", "weight 'wk'", "matmul", "weight 'wv'", "matmul"]
CACHE = ["input 'kc'", "concat", "input 'vc'", "concat"]
ROW = ["slice", "slice", "slice", "matmul", "softmax", "matmul"]


def test_a_plain_steps_nodes_stand_in_the_documented_order() -> None:
    attention = ["matmul", "softmax", "matmul"]
    assert labels(plain_step(structured(), 1)) == [*PROJECTIONS, *attention, *REST]
    assert labels(plain_step(structured(), 5)) == [*PROJECTIONS, *CACHE, *attention, *REST]


def test_a_verifier_blocks_nodes_stand_in_the_documented_order() -> None:
    rows = [*ROW, *ROW, "concat", *ROW, "concat"]
    attn = ["output 'attn'"]
    assert labels(verifier_block(structured(), 0, 1)) == [*PROJECTIONS, *ROW, *attn, *REST]
    assert labels(verifier_block(structured(), 4, 3)) == [*PROJECTIONS, *CACHE, *rows, *attn, *REST]


def test_every_tensor_with_a_role_carries_it() -> None:
    head = [
        ("x", "input"), ("q", "matmul"), ("k", "matmul"), ("v", "matmul"),
        ("k", "input"), ("k", "concat"), ("v", "input"), ("v", "concat"),
    ]  # fmt: skip
    rest = [
        ("wo", "matmul"), ("h", "add"), ("relu", "relu"), ("ffn", "matmul"), ("y", "add"),
        ("logits", "matmul"),
    ]  # fmt: skip
    assert tags(plain_step(structured(), 5)) == [*head, ("attn", "matmul"), *rest]
    attention = [("attn", "matmul"), ("attn", "matmul"), ("attn", "concat")]
    assert tags(verifier_block(structured(), 4, 2)) == [*head, *attention, *rest]


def test_the_drafts_nodes_stand_in_the_documented_order() -> None:
    graph = draft_step(bigram_draft(structured()))
    assert labels(graph) == [
        "input 'x'",
        "weight 'wd'",
        "matmul",
        "argmax",
        "output 'tok'",
        "output 'logits'",
    ]


@pytest.mark.parametrize("context", [1, 2, 9])
def test_a_plain_graph_means_the_float_step(context: int) -> None:
    target = random_target(4)
    rng = np.random.default_rng(context)
    keys, values = rng.normal(size=(2, context - 1, 16))
    x = target.embedding[[3]]
    outputs = evaluate_outputs(plain_step(target, context), sample(x, keys, values))
    layer = float_step(target, x, keys, values)
    assert np.abs(outputs["logits"] - layer.logits).max() < 1e-9
    assert np.abs(outputs["k_new"] - layer.k).max() < 1e-9
    assert np.abs(outputs["v_new"] - layer.v).max() < 1e-9
    assert outputs["tok"].item() == layer.logits.argmax()


@pytest.mark.parametrize(("cached", "rows"), [(0, 1), (0, 3), (5, 1), (7, 4), (3, 6)])
def test_a_verifier_graph_means_the_float_block(cached: int, rows: int) -> None:
    target = sharp(4)
    rng = np.random.default_rng(cached)
    keys, values = rng.normal(size=(2, cached, 16))
    x = target.embedding[rng.integers(0, 16, rows)]
    outputs = evaluate_outputs(verifier_block(target, cached, rows), sample(x, keys, values))
    layer = float_block(target, x, keys, values)
    for output, exact in {
        "attn": layer.attn,
        "logits": layer.logits,
        "k_new": layer.k,
        "v_new": layer.v,
    }.items():
        assert np.abs(outputs[output] - exact).max() < 1e-9
    assert outputs["tok"].ravel().tolist() == layer.logits.argmax(axis=-1).tolist()
