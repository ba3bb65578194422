"""All mutants, by unit. What each must lead to was worked out before its first run."""

from __future__ import annotations

from verif.qualification.mutant import Mutant
from verif.qualification.mutants import (
    accesses,
    matrix,
    memory,
    requantizer,
    sequencer,
    softmax,
    top,
    vectors,
)

MUTANTS: tuple[Mutant, ...] = (
    *top.MUTANTS,
    *sequencer.MUTANTS,
    *memory.MUTANTS,
    *matrix.MUTANTS,
    *requantizer.MUTANTS,
    *softmax.MUTANTS,
    *vectors.MUTANTS,
    *accesses.MUTANTS,
)
