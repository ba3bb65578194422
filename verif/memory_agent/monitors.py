"""Bus monitors for the memory ports: requests, responses, writes."""

from __future__ import annotations

from typing import Any

from cocotb.simtime import get_sim_time
from cocotb.triggers import Event, FallingEdge, ReadOnly
from cocotb_bus.monitors import BusMonitor

from verif.bfm.harness import CLOCK_PERIOD_NS
from verif.memory_agent.traffic import Request, Response, Write


def current_cycle() -> int:
    """Return the number of the current clock cycle since the simulation began."""
    return int(get_sim_time("ns")) // CLOCK_PERIOD_NS


class PortMonitor(BusMonitor):
    """Reports what a port carries in each cycle with its valid high, while it is enabled.

    It samples at the falling edge, once everything that is driven there has settled, and sleeps while
    disabled.
    """

    def __init__(self, entity: Any, name: str, clock: Any) -> None:
        """Attach to the signals `<name>_valid` and so on of the harness."""
        self.enabled = Event()
        super().__init__(entity, name, clock)

    async def _monitor_recv(self) -> None:
        """Sample for ever."""
        edge = FallingEdge(self.clock)
        while True:
            await self.enabled.wait()
            await edge
            await ReadOnly()
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
        return Request(current_cycle(), int(self.bus.addr.value))


class ResponseMonitor(PortMonitor):
    """Watches the answers, whoever gives them."""

    _signals = ("valid", "data")

    def sample(self) -> Response:
        """Return the answer of this cycle."""
        return Response(current_cycle(), int(self.bus.data.value))


class WriteMonitor(PortMonitor):
    """Watches writes."""

    _signals = ("valid", "addr", "data")

    def sample(self) -> Write:
        """Return the write of this cycle."""
        return Write(current_cycle(), int(self.bus.addr.value), int(self.bus.data.value))
