"""Proofs about read latency."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.instructions import Load
from refmodel.isa.limits import MAX_READ_LATENCY
from sequences.coverage_proofs.proof import Proof, program, single
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import ResponseDelays, Stimulus


def timing_proofs() -> Iterator[Proof]:
    """Yield them."""
    yield single("load_latency", ("2..7", "2..8"), _load(4, 5), _load(4, 8), _load(9, 5))
    yield single("load_overlap", ("as many",), _load(5, 5), _load(4, 5), _load(6, 5))
    longest = MAX_READ_LATENCY
    yield single(
        "load_latency", ("4095", "2..8"), _load(2, longest), _load(2, longest - 1), _load(1, longest)
    )
    yield single(
        "phase_step",
        ("LD requesting, then LD receiving",),
        _load(5, 5),
        _load(4, 5),
        _load(6, 5),
        _delayed(1, 1),
    )
    yield single("response_delay", ("1",), _delayed(3, 1), _delayed(3, 5))
    # LD of 246 words at latency 8 is busy for 255 cycles.
    yield single("counter_size", ("cyc_dma", "1..255"), _load(246, 8), _load(247, 8), program([]))
    yield single("outstanding_reads", ("1",), _delayed(1, 5), _delayed(3, 5))


def _load(length: int, latency: int) -> DirectedProgram:
    return program([Load(0, 0, length)], read_latency=latency)


def _delayed(length: int, delay: int) -> DirectedProgram:
    delays = ResponseDelays(seed=1, longest=delay, shortest=delay)
    return program([Load(0, 0, length)], stimulus=Stimulus(reset_first=True, response_delays=delays))
