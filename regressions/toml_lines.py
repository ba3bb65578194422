"""Where the values of a TOML document stand, which `tomllib` does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

Steps = tuple[str | int, ...]
"""Keys, and the numbers of elements, that lead from the whole document to a value."""


def line_of(text: str, steps: Sequence[str | int]) -> int:
    """Return the line, from 1 on, of a value of a document that is TOML.

    Steps that lead nowhere are passed over: what is missing is told by the line of what should hold it.
    """
    lines = lines_of(text)
    place: Steps = ()
    for step in steps:
        if (*place, step) in lines:
            place = (*place, step)
    return lines[place]


def lines_of(text: str) -> dict[Steps, int]:
    """Return the line of every value of a document that is TOML; of tables that of their heading.

    What several headings make together stands where it is named first.
    """
    root = Parser(Language(tree_sitter_toml.language())).parse(text.encode()).root_node
    lines: dict[Steps, int] = {(): 1}
    sizes: dict[Steps, int] = {}  # of arrays that are written as [[tables]]
    values: list[tuple[Steps, Node]] = []
    for node in _parts(root):
        place: Steps = ()
        pairs = [node]
        if node.type != "pair":
            heading, *pairs = _parts(node)
            place = _heading(lines, sizes, heading, is_element=node.type == "table_array_element")
        values += [_pair(lines, place, pair) for pair in pairs]
    while values:  # no recursion: they may be nested more deeply than Python's stack is high
        place, node = values.pop()
        if node.type == "inline_table":
            values += [_pair(lines, place, pair) for pair in _parts(node)]
        elif node.type == "array":
            for number, each in enumerate(_parts(node)):
                lines[(*place, number)] = _line(each)
                values.append(((*place, number), each))
    return lines


def _heading(lines: dict[Steps, int], sizes: dict[Steps, int], heading: Node, *, is_element: bool) -> Steps:
    """Note a table, and return where it is: below an array of tables that is in the last one so far."""
    *outer, last = _keys(heading)
    place: Steps = ()
    for key in outer:
        place = (*place, key)
        lines.setdefault(place, _line(heading))
        if place in sizes:
            place = (*place, sizes[place] - 1)
    place = (*place, last)
    lines.setdefault(place, _line(heading))
    if is_element:
        sizes[place] = sizes.get(place, 0) + 1
        place = (*place, sizes[place] - 1)
        lines[place] = _line(heading)
    return place


def _pair(lines: dict[Steps, int], place: Steps, pair: Node) -> tuple[Steps, Node]:
    """Note a key, and return where its value is, and the value."""
    key, value = _parts(pair)
    for name in _keys(key):
        place = (*place, name)
        lines.setdefault(place, _line(key))
    return place, value


def _keys(node: Node) -> Iterator[str]:
    """Yield the parts of a key that may be dotted and quoted."""
    value = tomllib.loads(f"{(node.text or b'').decode()} = 0")
    while isinstance(value, dict):
        ((key, value),) = value.items()
        yield key


def _parts(node: Node) -> list[Node]:
    return [each for each in node.named_children if each.type != "comment"]


def _line(node: Node) -> int:
    return node.start_point.row + 1
