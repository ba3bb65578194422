"""What only the whole graph shows: uses of a tensor that no program can realize."""

from __future__ import annotations

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import ConcatNode, MatMulNode, ReluNode, SliceNode
from refmodel.isa.limits import MAX_DEPTH


def consumers_of(graph: Graph) -> list[list[int]]:
    """Return, for every node, the ids of the nodes that read it, in order and once per operand."""
    consumers: list[list[int]] = [[] for _ in graph.nodes]
    for node, operation in enumerate(graph.nodes):
        for operand in operation.operands:
            consumers[operand].append(node)
    return consumers


def check_graph(graph: Graph) -> None:
    """Raise CompileError for the first node that no program can realize.

    Refused are a matmul with an inner dimension above 64, a relu that cannot be fused into the matmul before
    it, a tensor that two concatenations would have to hold, and a slice that a concatenation or a relu reads.
    """
    nodes = graph.nodes
    consumers = consumers_of(graph)
    for node, operation in enumerate(nodes):
        match operation:
            case MatMulNode():
                inner = nodes[operation.operands[0]].shape[1]
                if inner > MAX_DEPTH:
                    raise graph.refusal(
                        node,
                        f"its inner dimension k = {inner} exceeds {MAX_DEPTH}; "
                        "split the product into a sum of shorter ones",
                    )
            case ReluNode():
                _check_relu(graph, node, consumers)
            case ConcatNode():
                _check_concat(graph, node, consumers)
            case _:
                pass


def _check_relu(graph: Graph, node: int, consumers: list[list[int]]) -> None:
    (source,) = graph.nodes[node].operands
    match graph.nodes[source]:
        case SliceNode():
            raise graph.refusal(node, f"it reads a slice, {graph.describe(source)}; slice its result")
        case MatMulNode():
            others = [reader for reader in consumers[source] if reader != node]
            if others:
                raise graph.refusal(
                    node,
                    f"it cannot be fused because its source, {graph.describe(source)}, "
                    f"has another consumer, {graph.describe(others[0])}",
                )
        case _:
            raise graph.refusal(
                node, f"it cannot be fused because its source, {graph.describe(source)}, is not a matmul"
            )


def _check_concat(graph: Graph, node: int, consumers: list[list[int]]) -> None:
    for part in graph.nodes[node].operands:
        if isinstance(graph.nodes[part], SliceNode):
            raise graph.refusal(
                node, f"it reads a slice, {graph.describe(part)}, whose rows lie in the buffer of its source"
            )
        concats = [reader for reader in consumers[part] if isinstance(graph.nodes[reader], ConcatNode)]
        if len(concats) > 1:
            raise graph.refusal(
                part,
                f"it feeds two concatenations, {graph.describe(concats[0])} and "
                f"{graph.describe(concats[1])}, but has one place only",
            )
