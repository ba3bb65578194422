"""Bus monitors for the memory ports: requests, responses, writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cocotb.triggers import Event, FallingEdge, ReadOnly
from cocotb_bus.monitors import BusMonitor

from verif.memory_agent.traffic import Request, Response, Write


def current_cycle(top: Any) -> int:
    """Return the cycle of the run, as the harness counts it: FETCH of pc 0 is 1."""
    return int(top.u_run.now.value)


def known_value(signal: Any) -> int | None:
    """Return what a signal of the chip holds; None if a bit of it is X or Z."""
    value = signal.value
    return int(value) if value.is_resolvable else None


class PortMonitor(BusMonitor):
    """Reports what a port carries in each cycle with its valid high, while it is enabled.

    It samples at the falling edge, once everything that is driven there has settled, and sleeps while
    disabled.
    """

    def __init__(self, entity: Any, name: str, clock: Any) -> None:
        """Attach to the signals `<name>_valid` and so on of the harness."""
        self.enabled = Event()
        self.on_reset: Callable[[], None] = lambda: None
        """Called in every cycle with rst high, before what the port carries there is reported."""
        super().__init__(entity, name, clock)

    async def _monitor_recv(self) -> None:
        """Sample for ever."""
        edge = FallingEdge(self.clock)
        while True:
            await self.enabled.wait()
            await edge
            await ReadOnly()
            if self.entity.rst.value == 1:
                self.on_reset()
            if self.bus.valid.value == 1:
                self._recv(self.sample())

    def sample(self) -> object:
        """Return what the port carries now."""
        raise NotImplementedError


class RequestMonitor(PortMonitor):
    """Watches read requests."""

    _signals = ("valid", "addr")

    def sample(self) -> Request:
        """Return the request of this cycle."""
        return Request(current_cycle(self.entity), known_value(self.bus.addr))


class ResponseMonitor(PortMonitor):
    """Watches the answers, not the responses that answer nothing."""

    _signals = ("valid", "data")

    def sample(self) -> Response:
        """Return the answer of this cycle."""
        return Response(current_cycle(self.entity), known_value(self.bus.data))


class WriteMonitor(PortMonitor):
    """Watches writes."""

    _signals = ("valid", "addr", "data")

    def sample(self) -> Write:
        """Return the write of this cycle."""
        return Write(current_cycle(self.entity), known_value(self.bus.addr), known_value(self.bus.data))
