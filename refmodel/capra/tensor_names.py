"""The name under which reports know each node's tensor."""

from __future__ import annotations

from refmodel.capra.graph import Graph
from refmodel.capra.nodes import ConcatNode, GivenName, NamedNode, OutputNode, SliceNode


def tensor_names(graph: Graph) -> dict[int, GivenName]:
    """Return the name of every node but views, by node id.

    Names that the user gave (of inputs, weights and outputs, and through `Graph.name`) stay as they are. Any
    other tensor takes the name of the first output that stores it, else its first tag, else its operation and
    id, as in `softmax_12`; a name that means something else already gets the id behind it.
    """
    names = {
        node: GivenName(each.name) for node, each in enumerate(graph.nodes) if isinstance(each, NamedNode)
    }
    names |= graph.names
    stored_as: dict[int, str] = {}
    for each in graph.nodes:
        if isinstance(each, OutputNode):
            stored_as.setdefault(each.operands[0], each.name)
    tags: dict[int, str] = {}
    for node, tag in graph.tags:
        tags.setdefault(node, tag)
    outputs = {each.name for each in graph.nodes if isinstance(each, OutputNode)}
    taken = {given.name for node, given in names.items() if not isinstance(graph.nodes[node], OutputNode)}
    for node, each in enumerate(graph.nodes):
        if node in names or isinstance(each, ConcatNode | SliceNode):
            continue
        stored = stored_as.get(node)
        name = stored or tags.get(node)
        if name is None or name in taken or (name in outputs and name != stored):
            name = f"{name or each.kind}_{node}"
            while name in taken | outputs:
                name += "_"
        taken.add(name)
        names[node] = GivenName(name)
    return names
