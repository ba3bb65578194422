"""The record of one run's memory traffic, filled while the run goes on."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Request:
    """One read request."""

    cycle: int
    """FETCH of pc 0 is 1, as for all traffic."""
    address: int | None
    """None: a bit of it was X or Z, as for the values below."""


@dataclass(frozen=True)
class Response:
    """One answer."""

    cycle: int
    data: int | None


@dataclass(frozen=True)
class Write:
    """One write."""

    cycle: int
    address: int | None
    data: int | None


@dataclass
class MemoryTraffic:
    """Everything that crossed the memory ports in one run, in order."""

    requests: list[Request] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
