"""Where every tensor lives: its buffer, its offset there, and how long the buffer is needed.

Views cost no instruction. The parts of a concatenation are written straight into its buffer, a slice lies in
the buffer of its source, a matmul fused with a relu is written where the relu's tensor is, and an output is
stored from its source. A buffer is known by the node that owns it.
"""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import ConcatNode, InputNode, OutputNode, ReluNode, SliceNode, WeightNode


@dataclass(frozen=True)
class Region:
    """The place of one tensor, rows contiguous."""

    buffer: int
    """Id of the node whose tensor is the whole buffer."""
    offset: int
    """Words from the start of the buffer."""


def place_tensors(graph: Graph) -> list[Region]:
    """Return the region of every node's tensor, indexed by node id.

    The graph must have passed `check_graph`: a tensor then has one place at most that a later node demands.
    """
    nodes = graph.nodes
    regions = [Region(node, 0) for node in range(len(nodes))]
    # Downwards, because where a concatenation lies decides where its parts lie.
    for node in reversed(range(len(nodes))):
        region = regions[node]
        match nodes[node]:
            case ConcatNode(operands=(upper, lower)):
                regions[upper] = region
                regions[lower] = Region(region.buffer, region.offset + nodes[upper].words)
            case ReluNode(operands=(source,)):
                regions[source] = region
            case _:
                pass
    # Upwards, because where the source of a slice lies decides where the slice lies.
    for node, operation in enumerate(nodes):
        match operation:
            case SliceNode(operands=(source,)):
                offset = regions[source].offset + operation.start * operation.shape[1]
                regions[node] = Region(regions[source].buffer, offset)
            case OutputNode(operands=(source,)):
                regions[node] = regions[source]
            case _:
                pass
    return regions


def last_uses(graph: Graph, regions: list[Region]) -> dict[int, int]:
    """Return, for every buffer, the last node whose instructions write it or read any view of it."""
    last: dict[int, int] = {}
    for node, operation in enumerate(graph.nodes):
        for operand in operation.operands:
            last[regions[operand].buffer] = node
        if not isinstance(operation, InputNode | WeightNode):
            # An input or a weight is written when its first reader comes, which has its own entry.
            last[regions[node].buffer] = node
    return last
