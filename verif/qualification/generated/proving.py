"""Asks a solver whether a generated mutant can be told from the chip at all."""

from __future__ import annotations

from verif.proofs.equivalence import RTL, Equivalence, equivalent
from verif.qualification.generated.candidates import GeneratedMutant, applied


def proved_equivalent(mutant: GeneratedMutant) -> bool:
    """Does a solver show that no program and no stimulus can tell it from the chip? Raises ToolError."""
    source = (RTL / mutant.file).read_text(encoding="utf-8")
    return equivalent(mutant.file, applied(mutant, source)).verdict is Equivalence.PROVED
