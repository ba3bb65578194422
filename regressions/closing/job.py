"""One simulation of a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Job:
    """A UVM test with its parameters; the same job means the same stimulus everywhere."""

    name: str
    """Unique in the campaign, and good as a file's name."""
    simulator: str
    test: str
    """As `Simulation.test`."""
    parameters: Mapping[str, Any]
    """JSON values."""
