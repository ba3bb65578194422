"""The layout of external memory: inputs and weights in node order, then outputs in node order."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.capra.errors import CompileError
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import InputNode, OutputNode, WeightNode
from refmodel.isa.limits import EXT_ADDRESS_WORDS


@dataclass(frozen=True)
class ExternalLayout:
    """First external address of every input, weight and output."""

    addresses: dict[int, int]
    """By node id."""
    loaded_words: int
    """Words that inputs and weights take, from address 0 on."""


def lay_out_external(graph: Graph, ext_words: int) -> ExternalLayout:
    """Give every input, weight and output its words.

    Raises CompileError when `ext_words` are too few, or more than an address reaches.
    """
    if not 1 <= ext_words <= EXT_ADDRESS_WORDS:
        raise CompileError(f"ext_words is {ext_words}, legal is 1..{EXT_ADDRESS_WORDS}")
    nodes = graph.nodes
    loaded = [node for node in range(len(nodes)) if isinstance(nodes[node], InputNode | WeightNode)]
    stored = [node for node in range(len(nodes)) if isinstance(nodes[node], OutputNode)]
    addresses: dict[int, int] = {}
    end = 0
    for node in loaded + stored:
        addresses[node] = end
        words = nodes[node].words
        end += words
        if end > ext_words:
            raise graph.refusal(
                node,
                f"external memory is full, its {words} words end at "
                f"{end} of {ext_words}; raise ext_words or shrink the graph",
            )
    loaded_words = sum(nodes[node].words for node in loaded)
    return ExternalLayout(addresses, loaded_words)
