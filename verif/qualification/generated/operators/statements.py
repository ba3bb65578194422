"""Operators on the statements of clocked blocks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from verif.qualification.generated.change import Change, Cut, Facts, Operator, expression, statement
from verif.qualification.generated.syntax import Node
from verif.qualification.mutant import Statement


def condition(node: Node, _: Facts) -> Iterator[Change]:
    """Negate the condition of an `if`; that of an equality is inverted anyway."""
    if node.tag != "kIfHeader":
        return
    inner = _parenthesized(node)
    if not any(token.tag in ("==", "!=") for token in inner.children[0].children):
        yield expression(Operator.CONDITION, inner, f"!({inner.text})", f"if ({inner.text}) negated")


def assignment(node: Node, facts: Facts) -> Iterator[Change]:
    """Drop an assignment; set another state than the one assigned."""
    if node.tag != "kNonblockingAssignmentStatement":
        return
    yield statement(Operator.ASSIGNMENT, node, "", f"{node.text} dropped")
    value = node.child("kExpression")
    if value is not None and value.text in facts.following:
        other = facts.following[value.text]
        after = node.source[node.begin : value.begin] + other + ";"
        yield statement(Operator.STATE, node, after, f"{value.text} becomes {other}")


def arms(node: Node, _: Facts) -> Iterator[Change]:
    """Swap what neighbouring arms of a `case` do."""
    if node.tag != "kCaseItemList":
        return
    for first, second in pairwise(node.children):
        one, other = first.children[-1], second.children[-1]
        if one.text != other.text:
            cuts = (
                Cut(one.begin, Statement(one.text, other.text)),
                Cut(other.begin, Statement(other.text, one.text)),
            )
            what = f"arms {first.children[0].text} and {second.children[0].text} swapped"
            yield Change(Operator.ARMS, first.begin, cuts, what)


def reset(node: Node) -> Iterator[Change]:
    """Drop each assignment of a branch `if (rst_i)`."""
    if not is_reset(node):
        return
    for inner in node.walk():
        if inner.tag == "kNonblockingAssignmentStatement":
            yield statement(Operator.RESET, inner, "", f"{inner.text} dropped")


def is_reset(node: Node) -> bool:
    """Is it the branch `if (rst_i)`?"""
    return node.tag == "kIfClause" and _parenthesized(node.children[0]).text == "rst_i"


def _parenthesized(header: Node) -> Node:
    group = header.child("kParenGroup")
    assert group is not None, "an if has a condition in parentheses"
    return group.children[1]


STATEMENT_OPERATORS = (condition, assignment, arms)
