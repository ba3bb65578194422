"""Operators on expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verif.qualification.generated.change import Change, Facts, Operator, expression
from verif.qualification.generated.syntax import Node

_BINARY = {
    "+": (Operator.ARITHMETIC, "-"),
    "-": (Operator.ARITHMETIC, "+"),
    "*": (Operator.ARITHMETIC, "+"),
    ">>": (Operator.ARITHMETIC, "<<"),
    "<<": (Operator.ARITHMETIC, ">>"),
    "<": (Operator.RELATIONAL, "<="),
    "<=": (Operator.RELATIONAL, "<"),
    ">": (Operator.RELATIONAL, ">="),
    ">=": (Operator.RELATIONAL, ">"),
    "==": (Operator.EQUALITY, "!="),
    "!=": (Operator.EQUALITY, "=="),
    "&&": (Operator.LOGICAL, "||"),
    "||": (Operator.LOGICAL, "&&"),
    "&": (Operator.BITWISE, "|"),
    "|": (Operator.BITWISE, "&"),
    "^": (Operator.BITWISE, "|"),
}

_SIZED = re.compile(r"(\d+)('s?)([bdh])([0-9a-fA-F_]+)")
_BASES = {"b": 2, "d": 10, "h": 16}


def binary(node: Node, _: Facts) -> Iterator[Change]:
    """Replace each operator of a chain; parentheses keep what stood together together."""
    if node.tag != "kBinaryExpression":
        return
    for left, token, right in zip(node.children, node.children[1:], node.children[2:], strict=False):
        if token.tag not in _BINARY or token.children:
            continue
        operator, other = _BINARY[token.tag]
        before, after = node.source[node.begin : left.end], node.source[right.begin : node.end]
        what = f"{token.tag} becomes {other}"
        yield expression(operator, node, f"({before}) {other} ({after})", what, token.begin)


def unary(node: Node, _: Facts) -> Iterator[Change]:
    """Drop a negation or a sign; turn one reduction into another."""
    if node.tag != "kUnaryPrefixExpression":
        return
    token, operand = node.children
    if token.tag in ("!", "~"):
        yield expression(Operator.UNARY, node, f"{token.tag}({node.text})", f"{token.tag} dropped")
    elif token.tag == "-" and not _is_its_own_negative(operand):
        yield expression(Operator.UNARY, node, operand.text, "- dropped")
    elif token.tag in ("|", "&"):
        other = _BINARY[token.tag][1]
        yield expression(Operator.BITWISE, node, f"{other}{operand.text}", f"{token.tag} becomes {other}")


def branches(node: Node, _: Facts) -> Iterator[Change]:
    """Swap what `?` chooses between."""
    if node.tag != "kConditionExpression":
        return
    condition, yes, no = (child.text for child in node.children[::2])
    yield expression(Operator.BRANCHES, node, f"{condition} ? {no} : {yes}", "? and : swapped")


def constant(node: Node, facts: Facts) -> Iterator[Change]:
    """Count a literal up and down, and a localparam up; widths stay."""
    if node.tag == "kNumber":
        for after in _neighbours(node.text):
            yield expression(Operator.CONSTANT, node, after, f"{node.text} becomes {after}")
    elif node.tag == "kFunctionCall" and node.text in facts.constants:
        yield expression(Operator.CONSTANT, node, f"({node.text} + 1'b1)", f"{node.text} is one more")


def enumerator(node: Node, facts: Facts) -> Iterator[Change]:
    """Compare with the next name of an enumeration."""
    if node.tag != "kBinaryExpression" or len(node.children) != 3:
        return
    left, token, right = node.children
    if right.text in facts.following:
        after = facts.following[right.text]
        operator = Operator.OPCODE if "::" in right.text else Operator.STATE
        what = f"{right.text} becomes {after}"
        yield expression(operator, node, f"{left.text} {token.text} {after}", what, right.begin)


def sign(node: Node, _: Facts) -> Iterator[Change]:
    """Take a signed value for an unsigned one: with a 0 in front, as the type must stay signed."""
    if node.tag == "kSystemTFCall" and node.children[0].text == "$signed":
        argument = node.children[1].text[1:-1]
        if not argument.startswith("{1'b0"):
            yield expression(Operator.SIGNED, node, f"$signed({{1'b0, {argument}}})", "$signed dropped")


def select(node: Node, facts: Facts) -> Iterator[Change]:
    """Take the bits one higher, or one lower where there is no higher one; the next name for an index."""
    if node.tag != "kFunctionCall":
        return
    selected = node.children[0]
    if len(selected.children) != 2 or selected.children[1].tag not in ("kDimensionRange", "kDimensionScalar"):
        return
    name, dimension = selected.children
    after = _moved(dimension.text[1:-1].strip(), facts.highest_bit.get(name.text), facts.constants)
    if after is not None:
        what = f"{dimension.text} becomes [{after}]"
        yield expression(Operator.SELECT, node, f"{name.text}[{after}]", what, dimension.begin)


def _moved(bits: str, highest: int | None, constants: tuple[str, ...]) -> str | None:
    if bits in constants:
        return constants[(constants.index(bits) + 1) % len(constants)]
    bounds = re.fullmatch(r"(\d+)(?:\s*:\s*(\d+))?", bits)
    if bounds is None:
        return None
    high, low = int(bounds[1]), int(bounds[2] or bounds[1])
    if highest is not None and high < highest:
        high, low = high + 1, low + 1
    elif low > 0:
        high, low = high - 1, low - 1
    else:
        return None
    return str(high) if bounds[2] is None else f"{high}:{low}"


def _neighbours(literal: str) -> Iterator[str]:
    sized = _SIZED.fullmatch(literal)
    if sized is None:
        if literal.isdecimal():
            yield from (str(value) for value in (int(literal) + 1, int(literal) - 1) if value >= 0)
        return
    width, base, digits = int(sized[1]), sized[3], int(sized[4], _BASES[sized[3]])
    values = dict.fromkeys((digits + step) % (1 << width) for step in (1, -1))
    for value in values:
        yield f"{width}{sized[2]}{base}{value:{'x' if base == 'h' else base}}"


def _is_its_own_negative(operand: Node) -> bool:
    sized = _SIZED.fullmatch(operand.text)
    return sized is not None and 2 * int(sized[4], _BASES[sized[3]]) % (1 << int(sized[1])) == 0


EXPRESSION_OPERATORS = (binary, unary, branches, constant, enumerator, sign, select)
