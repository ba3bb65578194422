"""Compares a run with the state that a bundle's author expects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import numpy as np

from refmodel.machine.bundle import Expectation
from refmodel.machine.result import RunResult, WordArray


def compare(expect: Expectation, found: RunResult) -> list[str]:
    """Return one line for each value that differs; none when the run ended exactly as expected."""
    return list(_differences(expect, found))


def _differences(expect: Expectation, found: RunResult) -> Iterator[str]:
    for name in ("halted", "fault"):
        yield from _unless_equal(name, getattr(expect, name), getattr(found, name))
    for name, value in asdict(expect.counters).items():
        yield from _unless_equal(name, value, getattr(found.counters, name))
    yield from _words("ext", expect.ext, found.ext)
    yield from _words("scratchpad", expect.scratchpad, found.scratchpad)


def _unless_equal(name: str, expected: int, found: int) -> Iterator[str]:
    if found != expected:
        yield f"{name}: expected {expected}, found {found}"


def _words(name: str, expected: WordArray, found: WordArray) -> Iterator[str]:
    """Compare memories; the missing tail of the expected one is 0."""
    whole = np.zeros(len(found), np.uint32)
    whole[: len(expected)] = expected
    for address in np.flatnonzero(whole != found):
        yield from _unless_equal(f"{name}[{address}]", int(whole[address]), int(found[address]))
