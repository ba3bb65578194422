"""What is wanted of the measurements: limits on ratios of medians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Medians = Mapping[str, float]
"""Median of every probe by its name."""


@dataclass(frozen=True)
class Goal:
    """One ratio, or one time, and its limit."""

    name: str
    numerator: str
    """Name of a probe."""
    denominator: str | None
    """Name of a probe, or None for the numerator alone."""
    limit: float
    at_least: bool
    """Whether the limit is a lower one."""

    def value(self, medians: Medians) -> float:
        """Return what was measured."""
        return medians[self.numerator] / (medians[self.denominator] if self.denominator else 1.0)

    def met(self, medians: Medians) -> bool:
        """Whether the measurement keeps to the limit."""
        value = self.value(medians)
        return value >= self.limit if self.at_least else value <= self.limit


AT_LEAST, AT_MOST = True, False

GOALS = (
    Goal("bench / bare harness, icarus", "whole bench, icarus", "bare harness, icarus", 0.80, AT_LEAST),
    Goal(
        "bench / bare harness, verilator", "whole bench, verilator", "bare harness, verilator", 0.45, AT_LEAST
    ),
    Goal(
        "with coverage / without, verilator",
        "with coverage, verilator",
        "whole bench, verilator",
        0.90,
        AT_LEAST,
    ),
    # Times are inverse to speeds: the model's time over the RTL's is the RTL's speed over the model's.
    Goal("time of model / bare verilator", "bare harness, verilator", "reference model", 0.5, AT_MOST),
    Goal(
        "making and model / bare verilator, random",
        "random programs, bare verilator",
        "random programs, made and modelled",
        0.5,
        AT_MOST,
    ),
    Goal("bare harness in icarus, cycles/s", "bare harness, icarus", None, 100_000, AT_LEAST),
    Goal("software side of the table, s", "software side", None, 1.0, AT_MOST),
    Goal("published table, both simulators, s", "published table", None, 20.0, AT_MOST),
    Goal("history of 1,000 nights, slowest question, s", "history, slowest question", None, 0.1, AT_MOST),
    Goal("484 verifier shapes compiled, s", "compiling 484 shapes", None, 1.0, AT_MOST),
    Goal("484 verifier shapes, verilator, s", "484 shapes, verilator", None, 8.0, AT_MOST),
    Goal("484 verifier shapes, icarus, s", "484 shapes, icarus", None, 120.0, AT_MOST),
    Goal("verify_greedy / argmax of its rows", "verify_greedy", "argmax of five rows", 2.0, AT_MOST),
)
