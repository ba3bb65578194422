"""Every software mutant: those of the host loop and those of the compiler."""

from __future__ import annotations

from regressions.software_qualification.mutants.compiler import COMPILER_MUTANTS
from regressions.software_qualification.mutants.host_loop import HOST_LOOP_MUTANTS

SOFTWARE_MUTANTS = (*HOST_LOOP_MUTANTS, *COMPILER_MUTANTS)
