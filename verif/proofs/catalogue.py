"""All proofs, in the order in which an instruction travels."""

from __future__ import annotations

from refmodel.errors import Ga2Error
from verif.proofs.proof import Proof

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
    Proof("load", "LD: requests, data, addresses and time under every response pattern", "ga2_dma_load"),
    Proof("store", "ST: reads, writes, addresses and time", "ga2_dma_store"),
    Proof(
        "requantizer",
        "RQ: rounding and clamp of every product, addresses and time",
        "ga2_requantizer",
        quick=False,
    ),
    Proof("vector-add", "VADD: sums, clamp, addresses and time", "ga2_vector_add"),
    Proof("argmax", "AMAX: the first maximum of every row, addresses and time", "ga2_argmax", quick=False),
)


def proof_named(name: str) -> Proof:
    """Return a proof by its name. Raises Ga2Error."""
    for proof in PROOFS:
        if proof.name == name:
            return proof
    raise Ga2Error(f"no proof is named {name}")
