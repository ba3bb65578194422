"""One measurement, which takes a sample when called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """Something that can be measured again and again."""

    name: str
    unit: str
    sample: Callable[[], float]
    once: bool = False
    """Is one sample enough, since it takes minutes?"""
