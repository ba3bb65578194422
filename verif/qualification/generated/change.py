"""The typed object of a generated mutant: which text of which file becomes what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from verif.qualification.generated.syntax import Node
from verif.qualification.mutant import Edit, Expression, Statement


class Operator(Enum):
    """What is done to the text; the value says it for people."""

    ARITHMETIC = "arithmetic operator replaced"
    RELATIONAL = "relational operator replaced"
    EQUALITY = "equality inverted"
    LOGICAL = "logical operator replaced"
    BITWISE = "bitwise operator replaced"
    UNARY = "unary operator dropped"
    CONDITION = "condition negated"
    BRANCHES = "branches swapped"
    CONSTANT = "constant off by one"
    OPCODE = "operation code replaced"
    STATE = "state replaced"
    SELECT = "select off by one"
    SIGNED = "sign dropped"
    ASSIGNMENT = "assignment dropped"
    ARMS = "case arms swapped"
    RESET = "reset dropped"
    """Shows in Icarus alone: Verilator has no X, and sets registers at random instead."""


@dataclass(frozen=True)
class Cut:
    """An edit, and where the text that it replaces begins."""

    begin: int
    edit: Edit

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.begin + len(self.edit.before)


@dataclass(frozen=True)
class Change:
    """What an operator makes of a place."""

    operator: Operator
    at: int
    """Where, in the file; its line names the mutant."""
    cuts: tuple[Cut, ...]
    what: str
    """For people: `+ becomes -`."""


@dataclass(frozen=True)
class Facts:
    """What operators must know of the file that a node stands in."""

    following: Mapping[str, str]
    """For each name of an enumeration the next one, for the last the first; names of packages with them."""
    highest_bit: Mapping[str, int]
    """Of each signal that is declared as `[N:0]`."""
    constants: tuple[str, ...]
    """The module's localparams, in order."""


def expression(operator: Operator, node: Node, after: str, what: str, at: int | None = None) -> Change:
    """Return a change of one expression; `after` must keep its signedness (`mutant.Expression`)."""
    cut = Cut(node.begin, Expression(node.text, after))
    return Change(operator, node.begin if at is None else at, (cut,), what)


def statement(operator: Operator, node: Node, after: str, what: str) -> Change:
    """Return a change of one statement of a clocked block."""
    return Change(operator, node.begin, (Cut(node.begin, Statement(node.text, after)),), what)
