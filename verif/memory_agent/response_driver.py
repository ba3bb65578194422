"""The bus driver that answers reads in the harness's place."""

from __future__ import annotations

import random

from cocotb.triggers import FallingEdge
from cocotb_bus.drivers import BusDriver

from verif.memory_agent.monitors import current_cycle
from verif.memory_agent.traffic import Response


class ResponseDriver(BusDriver):
    """Drives each queued response in its cycle, in order, on `bus_resp_valid` and `bus_resp_data`.

    Levels change at the falling edge, so that a response is stable at the clock edge that ends its cycle.
    Between responses the data are garbage.
    """

    _signals = ("valid", "data")
    _run = 0

    def begin_run(self, seed: int) -> None:
        """Drop the responses that the run before did not wait for: cycles begin again."""
        self.drop()
        self.bus.valid.value = 0
        self._garbage = random.Random(seed)

    def drop(self) -> None:
        """Forget all responses that are still to come."""
        self.clear()
        self._run += 1

    async def _driver_send(self, transaction: Response, sync: bool = True) -> None:  # noqa: ARG002
        """Wait for the response's cycle and drive it until the next."""
        edge = FallingEdge(self.clock)
        run = self._run
        while run == self._run and current_cycle(self.entity) < transaction.cycle:
            await edge
        if run != self._run:
            return
        self.bus.valid.value = 1
        self.bus.data.value = transaction.data
        await edge
        self.bus.valid.value = 0
        self.bus.data.value = self._garbage.getrandbits(32)
