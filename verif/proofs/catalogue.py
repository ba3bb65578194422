"""All proofs, in the order in which an instruction travels."""

from __future__ import annotations

from refmodel.errors import Ga2Error
from verif.proofs.proof import Proof

UNITS = (
    "ga2_dma_load",
    "ga2_dma_store",
    "ga2_matrix_unit",
    "ga2_requantizer",
    "ga2_softmax",
    "ga2_vector_add",
    "ga2_argmax",
)

COMPUTING = tuple(unit for unit in UNITS if unit not in ("ga2_dma_load", "ga2_dma_store"))

_PREDICTION = (
    "at x_halted x_fault x_req x_wr stops overdue pc address asked_left answers_left "
    "cycle retired mm dma vec lag issued wake unit word running"
)
_INSIDE = {
    "u_properties.u_protocol": _PREDICTION,
    "u_sequencer": "state_q pc_q fault_q",
    "u_dma_load": "requesting_q write_q requests_left_q responses_left_q req_addr_q",
    "u_dma_store": "left_q data_valid_q wr_valid_q wr_addr_q",
}

PROOFS = (
    Proof(
        "counters",
        "the five counters step, clear and hold in full 32 bits",
        "ga2_counters",
        helpers=(),
        reach=6,
    ),
    Proof(
        "sequencer",
        "start, pc, sampling, faults and turns are those of docs/isa.md",
        "ga2_sequencer",
        helpers=(),
        reach=8,
    ),
    Proof(
        "chip",
        "one unit at work, memory touched by it alone, sum law, reset, hold while halted",
        "ga2",
        reach=14,
        helpers=(),
        stubs=("ga2_scratchpad",),
        units=UNITS,
    ),
    Proof(
        "pins",
        "ga2_protocol, which judges every simulation, never fails",
        "ga2",
        reach=16,
        seconds=300.0,
        quick=False,
        helpers=("ga2_rules", "ga2_protocol"),
        stubs=("ga2_scratchpad",),
        units=COMPUTING,
        named="ga2_pins_properties",
        inside=(
            *((net, f"{module}.{net}") for module, nets in _INSIDE.items() for net in nets.split()),
            ("store_q", "u_dma_store.state_q"),
        ),
    ),
    Proof("load", "LD: requests, data, addresses and time under every response pattern", "ga2_dma_load"),
    Proof("store", "ST: reads, writes, addresses and time", "ga2_dma_store"),
    Proof(
        "matrix",
        "MM: addresses of A, B and C, landing places, and the busy time",
        "ga2_matrix_unit",
        reach=14,
        quick=False,
        stubs=("ga2_operand_rows", "ga2_systolic_array"),
    ),
    Proof(
        "requantizer",
        "RQ: rounding and clamp of every product, addresses and time",
        "ga2_requantizer",
        quick=False,
    ),
    Proof(
        "reciprocal",
        "SM: the quotient of 2^38 by every sum, in 40 steps",
        "ga2_reciprocal",
        helpers=(),
        quick=False,
        seconds=300.0,
        reach=44,
    ),
    Proof(
        "softmax",
        "SM: three passes, their addresses, busy for 3 len + 47 cycles",
        "ga2_softmax",
        reach=14,
        stubs=("ga2_reciprocal", "ga2_exp_table"),
        cut=("$mul",),
    ),
    Proof("vector-add", "VADD: sums, clamp, addresses and time", "ga2_vector_add", quick=False),
    Proof("argmax", "AMAX: the first maximum of every row, addresses and time", "ga2_argmax", quick=False),
)


def proof_named(name: str) -> Proof:
    """Return a proof by its name. Raises Ga2Error."""
    for proof in PROOFS:
        if proof.name == name:
            return proof
    raise Ga2Error(f"no proof is named {name}")
