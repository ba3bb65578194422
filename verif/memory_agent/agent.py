"""The memory agent: answers reads after random delays and records all traffic, for items that ask for it."""

from __future__ import annotations

import numpy as np
from pyuvm import ConfigDB, uvm_agent, uvm_analysis_port

from refmodel.machine.decoded_program import decode_program
from refmodel.machine.result import WordArray
from sequences.program_item import ProgramItem
from sequences.stimulus import ResponseDelays
from sequences.timed_program import pass_timer
from verif.analysis import AnalysisImplementation
from verif.bfm.bfm import ProgramBfm
from verif.memory_agent.monitors import RequestMonitor, ResponseMonitor, WriteMonitor
from verif.memory_agent.response_driver import ResponseDriver
from verif.memory_agent.traffic import MemoryTraffic, Request, Response, Write


class MemoryAgent(uvm_agent):
    """Takes (run, item) on `sent` when a program starts; publishes (run, traffic record) on `traffic`.

    The record is published when the run begins and is complete when its result comes. Drivers and monitors
    are made when the first item with response delays comes, and sleep through all others.
    """

    def build_phase(self) -> None:
        """Make the ports."""
        super().build_phase()
        self.sent = AnalysisImplementation("sent", self, self._on_sent)
        self.traffic = uvm_analysis_port("traffic", self)
        self._attached = False

    def start_of_simulation_phase(self) -> None:
        """Find the harness."""
        bfm: ProgramBfm = ConfigDB().get(self, "", "BFM")
        self._top = bfm.top

    def response_cycle(self, request: Request) -> int:
        """Return the cycle of the answer to a request: in order, one a cycle. Override for other delays."""
        return self._timer.answer_cycle(request.cycle)

    def _on_sent(self, sent: tuple[int, ProgramItem]) -> None:
        run, item = sent
        delays = item.stimulus.response_delays
        if delays is None:
            if self._attached:
                self._enable(False)
            return
        self._attach()
        self._begin(item, delays)
        self.traffic.write((run, self._record))
        self._enable(True)

    def _attach(self) -> None:
        if self._attached:
            return
        self._attached = True
        clock = self._top.clk
        self._requests = RequestMonitor(self._top, "req", clock)
        self._requests.on_reset = self._on_reset
        self._responses = ResponseMonitor(self._top, "answer", clock)
        self._writes = WriteMonitor(self._top, "wr", clock)
        self._driver = ResponseDriver(self._top, "bus_resp", clock)
        self._requests.add_callback(self._on_request)
        self._responses.add_callback(self._on_response)
        self._writes.add_callback(self._on_write)

    def _begin(self, item: ProgramItem, delays: ResponseDelays) -> None:
        bundle = item.program()
        self._record = MemoryTraffic()
        self._driver.begin_run(delays.seed)
        self._delays = delays
        self._program = decode_program(bundle.code, bundle.read_latency)
        self._pass: int | None = None
        self._image: WordArray = np.zeros(bundle.ext_words, np.uint32)
        self._image[: len(bundle.ext)] = bundle.ext

    def _enable(self, on: bool) -> None:
        for monitor in (self._requests, self._responses, self._writes):
            if on:
                monitor.enabled.set()
            else:
                monitor.enabled.clear()

    def _on_reset(self) -> None:
        """Drop every outstanding read, as the environment is reset with the chip."""
        self._driver.drop()

    def _on_request(self, request: Request) -> None:
        self._record.requests.append(request)
        if self._top.rst.value == 1:  # no request is taken at the edge that ends this cycle
            return
        starts = int(self._top.starts.value)
        if starts != self._pass:  # every pass meets the same delays, whatever cut the one before
            self._pass = starts
            self._timer = pass_timer(self._program, self._delays)
        inside = request.address is not None and request.address < len(self._image)
        data = int(self._image[request.address]) if inside else 0
        self._driver.append(Response(self.response_cycle(request), data))

    def _on_response(self, response: Response) -> None:
        self._record.responses.append(response)

    def _on_write(self, write: Write) -> None:
        self._record.writes.append(write)
        if write.address is not None and write.address < len(self._image):
            self._image[write.address] = write.data or 0
