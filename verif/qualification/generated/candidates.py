"""Every mutant that the operators make of a file, and its name."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from verif.qualification.generated.change import Change, Cut, Facts, Operator
from verif.qualification.generated.operators.expressions import EXPRESSION_OPERATORS, select
from verif.qualification.generated.operators.statements import STATEMENT_OPERATORS, is_reset, reset
from verif.qualification.generated.syntax import Node, parse

_DIGITS = 8
"""Of the hash in a name."""

_FIXED = {
    "kLPValue",
    "kEventControl",
    "kCast",
    "kQualifiedId",
    "kDimensionRange",
    "kDimensionScalar",
    "kLoopHeader",
}
"""What no simulator can choose at run time, or what the operator `select` takes as a whole."""

_UNSEEN = re.compile(r"unused_\w+|working_o|legal_o|fetch_o|access")
"""Nets for lint alone, or for the chip's own assertions, which are silent while a mutant runs."""


@dataclass(frozen=True)
class GeneratedMutant:
    """One change of one file of the RTL."""

    name: str
    """File, operator and a hash of what the line says: it stays while the line does, wherever it goes."""
    file: str
    """Below hdl/rtl."""
    line: int
    """Of the unchanged file, from 1."""
    operator: Operator
    what: str
    """The change for people."""
    cuts: tuple[Cut, ...]


def applied(mutant: GeneratedMutant, source: str) -> str:
    """Return the text of its file with the mutant in place of what is right, for good."""
    for cut in sorted(mutant.cuts, key=lambda cut: cut.begin, reverse=True):
        source = source[: cut.begin] + cut.edit.in_place + source[cut.end :]
    return source


def candidates(file: str, source: str, packages: Mapping[str, str]) -> list[GeneratedMutant]:
    """Return all mutants of a file in the order of its text.

    `packages` holds the texts of files with packages whose enumerations the file may use, by file. Raises
    SyntaxTreeError.
    """
    tree = parse(source, file)
    following = _enumerations(tree, "")
    for name, text in packages.items():
        package = parse(text, name)
        following |= _enumerations(package, f"{name.removesuffix('.sv')}::")
    facts = Facts(following, _highest_bits(tree), _constants(tree))
    names = _Names(file, source)
    found = [names.named(change) for change in _changes(tree, facts)]
    return sorted(found, key=lambda mutant: (mutant.line, mutant.name))


class _Names:
    """Names mutants by what stands in their line; of equal lines, by which of them it is."""

    def __init__(self, file: str, source: str) -> None:
        self._file = file
        self._starts: list[int] = []
        self._keys: list[str] = []
        self._indents: list[int] = []
        seen: Counter[str] = Counter()
        begin = 0
        for line in source.splitlines(keepends=True):
            text = line.strip()
            self._starts.append(begin)
            self._indents.append(len(line) - len(line.lstrip()))
            self._keys.append(f"{text}\0{seen[text]}")
            seen[text] += 1
            begin += len(line)

    def named(self, change: Change) -> GeneratedMutant:
        line = sum(start <= change.at for start in self._starts)
        column = change.at - self._starts[line - 1] - self._indents[line - 1]
        key = "\0".join([self._file, self._keys[line - 1], str(column), change.operator.name, change.what])
        digest = hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]
        unit = self._file.removesuffix(".sv").removeprefix("ga2_")
        name = f"{unit}_{change.operator.name.lower()}_{digest}"
        return GeneratedMutant(name, self._file, line, change.operator, change.what, change.cuts)


def _changes(tree: Node, facts: Facts) -> Iterator[Change]:
    for node in tree.walk():
        if node.tag == "kContinuousAssignmentStatement":
            target = next(inner for inner in node.walk() if inner.tag == "kLPValue")
            if _UNSEEN.fullmatch(target.text) is None:
                yield from _expression_changes(node, facts)
        elif node.tag == "kAlwaysStatement":
            yield from _statement_changes(node, facts)
        elif node.tag == "kActualNamedPort" and node.children[1].text.endswith("_i"):
            for inner in node.walk():
                yield from select(inner, facts)


def _statement_changes(node: Node, facts: Facts) -> Iterator[Change]:
    if is_reset(node):
        yield from reset(node)
        return
    for operator in STATEMENT_OPERATORS:
        yield from operator(node, facts)
    if node.tag == "kExpression":
        yield from _expression_changes(node, facts)
        return
    children = node.children[1:] if node.tag == "kCaseItem" else node.children  # a label is a constant
    for child in children:
        if child.tag not in _FIXED:
            yield from _statement_changes(child, facts)


def _expression_changes(node: Node, facts: Facts) -> Iterator[Change]:
    for operator in EXPRESSION_OPERATORS:
        yield from operator(node, facts)
    for child in _run_time_children(node):
        yield from _expression_changes(child, facts)


def _run_time_children(node: Node) -> Iterator[Node]:
    if node.children and node.children[0].tag == "{" and node.tag == "kExpression":
        yield node.children[2]  # {7{rst}}: how often is a constant
    elif node.tag == "kDimensionSlice":
        yield node.children[1]  # [first+:width]: so is a width
    else:
        yield from (child for child in node.children if child.tag not in _FIXED)


def _enumerations(tree: Node, prefix: str) -> dict[str, str]:
    following: dict[str, str] = {}
    for node in tree.walk():
        if node.tag == "kEnumNameList":
            names = [prefix + child.children[0].text for child in node.children if child.tag == "kEnumName"]
            following |= dict(zip(names, [*names[1:], names[0]], strict=True))
    return following


def _highest_bits(tree: Node) -> dict[str, int]:
    highest: dict[str, int] = {}
    for node in tree.walk():
        if node.tag in ("kPortDeclaration", "kDataDeclaration"):
            bound = next((inner for inner in node.walk() if inner.tag == "kDimensionRange"), None)
            if bound is not None and bound.children[1].text.isdecimal():
                for name in _declared(node):
                    highest[name] = int(bound.children[1].text)
    return highest


def _declared(node: Node) -> Iterator[str]:
    for inner in node.walk():
        if inner.tag == "kRegisterVariable" or (
            node.tag == "kPortDeclaration" and inner.tag == "kUnqualifiedId"
        ):
            yield inner.children[0].text


def _constants(tree: Node) -> tuple[str, ...]:
    types = (node for node in tree.walk() if node.tag == "kParamType")
    return tuple(child.text for node in types for child in node.children if child.tag == "SymbolIdentifier")
