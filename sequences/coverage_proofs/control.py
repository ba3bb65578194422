"""Proofs about start and rst; FETCH of pc 0 is cycle 1, its ISSUE cycle 2."""

from __future__ import annotations

from collections.abc import Iterator

from refmodel.isa.encoding import encode
from refmodel.isa.instructions import Illegal, Load, MatMul, Softmax, Store
from refmodel.machine.decoded_program import decode_program
from sequences.coverage_proofs.proof import Proof, of_code, program, single
from sequences.stimulus import PLAIN, Stimulus

FETCH, ISSUE, FIRST_BUSY = 1, 2, 3


def control_proofs() -> Iterator[Proof]:
    """Yield them."""
    product, softmax = MatMul(1000, 0, 100, 2, 4, 2, lda=4, ldb=2, ldc=2), Softmax(100, 0, 4)
    faulty, good, again = (
        of_code([encode(Illegal(9))]),
        program([softmax]),
        program([softmax], stimulus=PLAIN),
    )
    yield Proof("start_honoured", ("halted by a fault",), (faulty, again), ((good, again), (faulty, good)))
    yield single(
        "start_lost",
        ("MM",),
        program([product], stimulus=_start(FIRST_BUSY)),
        program([product], stimulus=_start(ISSUE)),
        program([product], stimulus=_start(FIRST_BUSY, reset=FIRST_BUSY)),
        program([softmax], stimulus=_start(FIRST_BUSY)),
    )
    yield single(
        "reset_state",
        ("SM",),
        program([softmax], stimulus=_reset(FIRST_BUSY)),
        program([softmax], stimulus=_reset(FETCH)),
        program([product], stimulus=_reset(FIRST_BUSY)),
    )
    # Two words are read at latency 8: the response of the first comes in busy cycle 9.
    load = Load(0, 0, 2)
    cut = {busy: program([load], stimulus=_reset(FIRST_BUSY + busy - 1)) for busy in (1, 2, 3, 9)}
    same, stored = program([load], stimulus=PLAIN), program([Store(0, 0, 2)], stimulus=PLAIN)
    yield Proof(
        "reset_phase",
        ("LD waiting", "the same instruction"),
        (cut[3], same),
        ((cut[2], same), (cut[9], same), (cut[3], stored), (cut[3], program([], stimulus=PLAIN), same)),
    )
    yield Proof(
        "reset_outstanding",
        ("2..7", "ST"),
        (cut[2], stored),
        ((cut[1], stored), (cut[9], stored), (cut[2], same), (program([load]), stored)),
    )
    yield single(
        "start_lost_phase",
        ("LD waiting",),
        program([load], stimulus=_start(FIRST_BUSY + 2)),
        program([load], stimulus=_start(FIRST_BUSY + 1)),
        program([load], stimulus=_start(FIRST_BUSY + 2, reset=FIRST_BUSY + 2)),
        program([load], stimulus=_start(FIRST_BUSY + 8)),
    )
    cycles = decode_program(good.bundle.code, good.bundle.read_latency).counters.cyc_total
    yield single(
        "run_passes",
        ("2",),
        program([softmax], stimulus=_start(cycles + 1)),
        program([softmax], stimulus=_start(cycles)),
    )


def _start(cycle: int, reset: int | None = None) -> Stimulus:
    return Stimulus(reset_first=True, extra_start=(cycle, cycle), reset_cycle=reset)


def _reset(cycle: int) -> Stimulus:
    return Stimulus(reset_first=True, reset_cycle=cycle)
