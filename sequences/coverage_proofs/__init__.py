"""Proofs of coverage: for every coverage item a program that must hit a bin, and one that must not.

The two differ in as little as possible. They are data; verif/tests/test_coverage_proofs.py runs them on the
RTL and sees that each hits, or spares, just that bin.
"""

from __future__ import annotations

from sequences.coverage_proofs.compiler import compiler_proofs
from sequences.coverage_proofs.control import control_proofs
from sequences.coverage_proofs.data import data_proofs
from sequences.coverage_proofs.decodings import decoding_proofs
from sequences.coverage_proofs.instructions import instruction_proofs
from sequences.coverage_proofs.proof import Proof
from sequences.coverage_proofs.surroundings import surroundings_proofs
from sequences.coverage_proofs.timing import timing_proofs


def all_proofs() -> list[Proof]:
    """Return every proof, at least one for each item."""
    return [
        *instruction_proofs(),
        *data_proofs(),
        *timing_proofs(),
        *control_proofs(),
        *surroundings_proofs(),
        *compiler_proofs(),
        *decoding_proofs(),
    ]
