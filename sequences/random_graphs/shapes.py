"""The shapes of a plan's tensors."""

from __future__ import annotations

from functools import lru_cache

from sequences.random_graphs.plan import GraphPlan, NodePlan, Shape


@lru_cache(maxsize=256)
def shapes(plan: GraphPlan) -> tuple[Shape, ...]:
    """Return the shape of every node; meaningless from a node on whose operands do not match."""
    found: list[Shape] = []
    for each in plan.nodes:
        found.append(_shape(each, [found[operand] for operand in each.operands]))
    return tuple(found)


def _shape(node: NodePlan, operands: list[Shape]) -> Shape:
    match node.kind:
        case "input" | "weight":
            assert node.size is not None
            return node.size
        case "slice":
            assert node.size is not None
            return (node.size[1], operands[0][1])
        case "matmul":
            return (operands[0][0], operands[1][1])
        case "transposed":
            return (operands[0][0], operands[1][0])
        case "concat":
            return (operands[0][0] + operands[1][0], operands[0][1])
        case "argmax":
            return (operands[0][0], 1)
        case _:
            return operands[0]
