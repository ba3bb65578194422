"""What the compiler's documented limits (docs/architecture.md, "Lowering") say of a plan.

Written from the documents and not from the compiler, which must accept every plan that has no violation here
and refuse every other, for the reason given here; whether there is memory enough is the affair of `memory`.
"""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.isa.limits import MAX_DEPTH
from sequences.random_graphs.plan import GraphPlan, NodePlan
from sequences.random_graphs.shapes import shapes

PINNED_SCORES, PINNED_PROBABILITIES = "scores", "probabilities"


@dataclass(frozen=True)
class Violation:
    """Why the compiler must refuse a plan."""

    node: int
    """The node at which it shows."""
    message: str
    """Regular expression that the refusal must contain."""


def violation(plan: GraphPlan) -> Violation | None:
    """Return the first limit that a plan breaks, memory aside; None for a legal one."""
    for message_of in (_shape_message, _use_message):
        for node, each in enumerate(plan.nodes):
            message = message_of(plan, each)
            if message:
                return Violation(node, message)
    return _range_violation(plan)


def _shape_message(plan: GraphPlan, node: NodePlan) -> str | None:
    """Return what `Graph` must say as the node is added."""
    known = shapes(plan)
    operands = [known[operand] for operand in node.operands]
    for operand in node.operands:
        if plan.nodes[operand].kind == "output":
            return "cannot be read"
        if plan.nodes[operand].kind == "argmax" and node.kind != "output":
            return "holds indices"
    match node.kind:
        case "matmul" if operands[0][1] != operands[1][0]:
            return "mismatched shapes"
        case "transposed" if operands[0][1] != operands[1][1]:
            return "mismatched shapes"
        case "add" if operands[0] != operands[1]:
            return "mismatched shapes"
        case "concat" if operands[0][1] != operands[1][1]:
            return "mismatched shapes"
        case "slice":
            assert node.size is not None
            start, count = node.size
            if count < 1:
                return "it is empty"
            if start < 0 or start + count > operands[0][0]:
                return "out of range"
    return None


def _use_message(plan: GraphPlan, node: NodePlan) -> str | None:
    """Return what only the whole graph shows."""
    sources = [plan.nodes[operand] for operand in node.operands]
    match node.kind:
        case "matmul" | "transposed":
            return "inner dimension" if shapes(plan)[node.operands[0]][1] > MAX_DEPTH else None
        case "relu":
            if sources[0].kind == "slice":
                return "reads a slice"
            shared = len(plan.readers(node.operands[0])) > 1
            return "cannot be fused" if shared or sources[0].kind not in ("matmul", "transposed") else None
        case "concat":
            if any(source.kind == "slice" for source in sources):
                return "reads a slice"
            for operand in node.operands:
                if sum(plan.nodes[reader].kind == "concat" for reader in plan.readers(operand)) > 1:
                    return "feeds two concatenations"
    return None


def scale_groups(plan: GraphPlan) -> list[int]:
    """Return for every node the first member of the group of tensors that share its scale."""
    groups = list(range(len(plan.nodes)))
    for node, each in enumerate(plan.nodes):
        if each.kind in ("concat", "relu", "slice", "output"):
            joined = {groups[node], *(groups[operand] for operand in each.operands)}
            groups = [min(joined) if group in joined else group for group in groups]
    return groups


def _range_violation(plan: GraphPlan) -> Violation | None:
    """Return the conflict of a group that holds both scores (1/16) and probabilities (1/127)."""
    groups = scale_groups(plan)
    pinned: dict[int, str] = {}
    for node, each in enumerate(plan.nodes):
        if each.kind == "softmax":
            for tensor, pin in ((each.operands[0], PINNED_SCORES), (node, PINNED_PROBABILITIES)):
                if pinned.setdefault(groups[tensor], pin) != pin:
                    return Violation(tensor, "tensors that share its scale have the range")
    return None
