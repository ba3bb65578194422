"""What a UVM test takes: each test declares a model, and what does not fit it is refused with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from refmodel.errors import Ga2Error
from refmodel.isa.limits import MAX_READ_LATENCY
from refmodel.printable import printable
from sequences.near_names import did_you_mean

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""Pydantic's types of the errors about a name that is not declared."""

_LONGEST = 60
"""Characters of a wrong value that a message shows."""

DataSeed = Annotated[int, Field(ge=0)]
"""Of a test's data."""

ReadLatency = Annotated[int, Field(ge=1, le=MAX_READ_LATENCY)]

_Value = TypeVar("_Value")


class ParameterError(Ga2Error):
    """A test was given something that it does not take, or not what it needs."""

    def __init__(self, message: str, steps: Sequence[str | int] = ()) -> None:
        """Take the message, and the keys and positions that lead from the parameters to the place."""
        super().__init__(message)
        self.steps = tuple(steps)


class BrokenTestError(Ga2Error):
    """A test's module cannot be imported, or does not define the test."""


class Declared(BaseModel):
    """A declaration: values are JSON values of exactly these names and types."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


_Declared = TypeVar("_Declared", bound=Declared)


def one_of(what: str, choices: Collection[str]) -> AfterValidator:
    """Return a validator that refuses any other name, with the nearest one."""

    def check(name: str) -> str:
        if name not in choices:
            near = did_you_mean(name, choices) or f"; there are {', '.join(choices)}"
            raise ValueError(f"unknown {what} {printable(repr(name), _LONGEST)}{near}")
        return name

    return AfterValidator(check)


def legal(check: Callable[[_Value], object]) -> AfterValidator:
    """Return a validator that refuses the values for which `check` raises Ga2Error."""

    def checked(value: _Value) -> _Value:
        try:
            check(value)
        except Ga2Error as error:
            raise ValueError(str(error)) from error
        return value

    return AfterValidator(checked)


def read_parameters(kind: type[_Declared], content: str, whose: str) -> _Declared:
    """Return parameters from a JSON object; `whose` they are is for messages. Raises ParameterError."""
    try:
        return kind.model_validate_json(content)
    except ValidationError as error:
        raise _refused(kind, error, whose) from error


def check_parameters(test: str, values: Mapping[str, Any]) -> None:
    """Raise ParameterError unless a test, as `decode.DecodeTest`, takes these parameters.

    This imports the test's module, which needs no simulator. Raises BrokenTestError when that fails.
    """
    module, _, name = test.rpartition(".")
    try:
        declared = getattr(import_module(f"verif.uvm_tests.{module}"), name).Parameters
    except Exception as error:
        raise BrokenTestError(f"{test} cannot be imported: {type(error).__name__}: {error}") from error
    read_parameters(declared, json.dumps(values), name)


def _refused(kind: type[Declared], error: ValidationError, whose: str) -> ParameterError:
    """Return the first problem as an error; an unknown name may be why another one is missing."""
    found = error.errors(include_url=False)
    problem = next((each for each in found if each["type"] in _UNKNOWN), found[0])
    steps, value, message = problem["loc"], problem["input"], problem["msg"]
    place = ".".join(map(str, steps))
    if problem["type"] in _UNKNOWN:
        declared = _declared_at(kind, steps[:-1])
        near = did_you_mean(str(steps[-1]), declared) or f"; it takes {', '.join(sorted(declared))}"
        return ParameterError(f"{whose} has no parameter {printable(repr(place), _LONGEST)}{near}", steps)
    if problem["type"] == "missing":
        return ParameterError(f"{whose} needs parameter {printable(repr(place), _LONGEST)}", steps)
    if problem["type"] == "value_error":  # its text names the value
        message = message.removeprefix("Value error, ")
    else:
        choices = re.findall("'([^']*)'", message) if problem["type"] == "literal_error" else []
        message += f", not {printable(repr(value), _LONGEST)}{did_you_mean(str(value), choices)}"
    return ParameterError(f"{whose}: {place + ': ' if place else ''}{message}", steps)


def _declared_at(kind: type[Declared], steps: Sequence[str | int]) -> list[str]:
    """Return the names that are declared for the object at a place."""
    schema = kind.model_json_schema()

    def resolved(node: dict[str, Any]) -> dict[str, Any]:
        options = [each for each in node.get("anyOf", [node]) if each.get("type") != "null"]
        name = options[0].get("$ref", "").rpartition("/")[2]
        return dict(schema["$defs"][name] if name else options[0])

    node = resolved(schema)
    for step in steps:
        node = resolved(node["items"] if isinstance(step, int) else node["properties"][step])
    return list(node["properties"])
