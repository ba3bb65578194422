"""What the harness checks in every cycle, and the sentence of docs/isa.md that each check is named after."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class Check(IntEnum):
    """Numbered as in hdl/tb/ga2_rules.sv; hdl/tb/ga2_protocol.sv does the work."""

    KNOWN = 0
    RESET_CLEARS = 1
    RESET_WINS = 2
    IDLE_HOLDS = 3
    START_HONOURED = 4
    START_HELD = 5
    START_AFTER_FAULT = 6
    START_CLEARS = 7
    START_LOST = 8
    PC_STAYS = 9
    PC_ADVANCES = 10
    PC_WRAPS = 11
    PC_AT_END = 12
    FETCH_SAMPLES = 13
    HALT_STOPS = 14
    FAULT_STOPS = 15
    LEGAL_RUNS = 16
    RUNNING = 17
    HALTED_HOLDS = 18
    COUNTER_TOTAL = 19
    COUNTER_MM = 20
    COUNTER_DMA = 21
    COUNTER_VEC = 22
    COUNTER_INST = 23
    LOAD_REQUESTS = 24
    LOAD_ADDRESSES = 25
    REQUEST_BOUND = 26
    STORE_WRITES = 27
    STORE_ADDRESSES = 28
    WRITE_BOUND = 29
    VALIDS_LOW = 30
    RESPONSE_ASKED = 31
    RESPONSE_IGNORED = 32
    FETCH_ISSUE_TIME = 33
    LOAD_TIME = 34
    STORE_TIME = 35
    MAT_MUL_TIME = 36
    REQUANTIZE_TIME = 37
    SOFTMAX_TIME = 38
    VECTOR_ADD_TIME = 39
    ARG_MAX_TIME = 40

    @property
    def sentence(self) -> str:
        """What docs/isa.md says, word for word."""
        return _SENTENCES[self]


BOUND_CHECKS = (Check.REQUEST_BOUND, Check.WRITE_BOUND)
"""What a program fails that accesses external memory beyond ext_words on purpose."""

_UNIT_COUNTER = (
    "`cyc_total` and the counter of the unit at work step at the edge that ends each counted cycle"
)
_BOUND = "an access beyond it is an error of the program and is reported by name"

_SENTENCES: Mapping[Check, str] = {
    Check.KNOWN: "after it `halted`, `fault`, the valids, the pc and the counters are always defined",
    Check.RESET_CLEARS: "In the cycle after an edge with `rst` high the chip is idle, whatever it was doing",
    Check.RESET_WINS: "Reset wins over `start`",
    Check.IDLE_HOLDS: "They stay 0 until a start is honoured",
    Check.START_HONOURED: "is honoured where the chip is idle or `halted` is already high",
    Check.START_HELD: "A start that is held high restarts the program after one halted cycle",
    Check.START_AFTER_FAULT: "No reset is needed between programs, not even after a fault",
    Check.START_CLEARS: "The cycle after is FETCH of word 0, with `halted`, `fault` and the counters at 0",
    Check.START_LOST: "It is lost everywhere else: in FETCH, in ISSUE (also that of HALT or of a faulting "
    "word) and in busy cycles",
    Check.PC_STAYS: "stays through FETCH, ISSUE and the busy cycles of its instruction",
    Check.PC_ADVANCES: "advances at the edge that ends the last of them",
    Check.PC_WRAPS: "wraps at 65,535",
    Check.PC_AT_END: "it stays at HALT and at a faulting word",
    Check.FETCH_SAMPLES: "`imem_data` is sampled at the edge that ends FETCH",
    Check.HALT_STOPS: "`halted` (and `fault`) rise at the edge that ends ISSUE",
    Check.FAULT_STOPS: "At ISSUE of a faulting word the chip stops with `halted` and `fault` high",
    Check.LEGAL_RUNS: "A word faults when",
    Check.RUNNING: "the program ended; it ended at a faulting word",
    Check.HALTED_HOLDS: "All hold until the next start or reset",
    Check.COUNTER_TOTAL: _UNIT_COUNTER,
    Check.COUNTER_MM: _UNIT_COUNTER,
    Check.COUNTER_DMA: _UNIT_COUNTER,
    Check.COUNTER_VEC: _UNIT_COUNTER,
    Check.COUNTER_INST: "`n_inst` at the edge that ends the last busy cycle",
    Check.LOAD_REQUESTS: "LD raises `req_valid` in its first busy cycle and holds it for as many cycles as "
    "it has words",
    Check.LOAD_ADDRESSES: "addresses ascending, never waiting for a response",
    Check.REQUEST_BOUND: _BOUND,
    Check.STORE_WRITES: "ST raises `wr_valid` for as many consecutive cycles as it has words",
    Check.STORE_ADDRESSES: "addresses ascending, the last of them its last busy cycle",
    Check.WRITE_BOUND: _BOUND,
    Check.VALIDS_LOW: "Both valids are low at all other times",
    Check.RESPONSE_ASKED: "A request in cycle t is answered in cycle t + LAT with LAT ≥ 1",
    Check.RESPONSE_IGNORED: "The chip ignores `resp_valid` outside a running LD",
    Check.FETCH_ISSUE_TIME: "FETCH takes one cycle and ISSUE one cycle for every word",
    Check.LOAD_TIME: "the busy time of LD is r + 2",
    Check.STORE_TIME: "| ST | len + 2 |",
    Check.MAT_MUL_TIME: "| MM | M·K + K·N + (K + M + N − 2) + M·N + 7 |",
    Check.REQUANTIZE_TIME: "| RQ | len + 2 |",
    Check.SOFTMAX_TIME: "| SM | 3·len + 47 |",
    Check.VECTOR_ADD_TIME: "| VADD | 2·len + 2 |",
    Check.ARG_MAX_TIME: "| AMAX | len + 3 |",
}
