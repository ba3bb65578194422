"""The state that a program ends in, as far as a bundle's author can expect it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from refmodel.machine.bundle import Expectation
from refmodel.machine.result import Counters, RunResult, WordArray


@dataclass(frozen=True, eq=False)
class FinalState:
    """Memories, counters and flags after a run."""

    halted: bool
    fault: bool
    counters: Counters
    ext: WordArray
    """uint32[ext_words]"""
    scratchpad: WordArray
    """uint32[4096]"""

    @classmethod
    def of(cls, result: RunResult) -> Self:
        """Take it from the model's result."""
        return cls(result.halted, result.fault, result.counters, result.ext, result.scratchpad)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Take it from what `to_json` made, here or in a simulation."""
        return cls(
            halted=values["halted"],
            fault=values["fault"],
            counters=Counters(**values["counters"]),
            ext=np.array(values["ext"], np.uint32),
            scratchpad=np.array(values["scratchpad"], np.uint32),
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "halted": self.halted,
            "fault": self.fault,
            "counters": asdict(self.counters),
            "ext": self.ext.tolist(),
            "scratchpad": self.scratchpad.tolist(),
        }

    def differences(self, expect: Expectation) -> Iterator[str]:
        """Yield one line for each value that is not as expected."""
        for name in ("halted", "fault"):
            yield from _unless_equal(name, getattr(expect, name), getattr(self, name))
        for name, value in asdict(expect.counters).items():
            yield from _unless_equal(name, value, getattr(self.counters, name))
        yield from _words("ext", expect.ext, self.ext)
        yield from _words("scratchpad", expect.scratchpad, self.scratchpad)


def _unless_equal(name: str, expected: int, found: int) -> Iterator[str]:
    if found != expected:
        yield f"{name}: expected {expected}, found {found}"


def _words(name: str, expected: WordArray, found: WordArray) -> Iterator[str]:
    """Compare memories; the missing tail of the expected one is 0."""
    whole = np.zeros(len(found), np.uint32)
    whole[: len(expected)] = expected
    for address in np.flatnonzero(whole != found):
        yield from _unless_equal(f"{name}[{address}]", int(whole[address]), int(found[address]))
