"""Which series of programs may be tried: no error in the static checker, and nothing undefined is read."""

from __future__ import annotations

from collections.abc import Sequence

from refmodel.isa.checker import Severity, check_program
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.machine.machine import Machine, UninitializedRead
from sequences.directed.directed_program import DirectedProgram
from verif.scoreboard.expected_run import expected_run


def is_legal(series: Sequence[DirectedProgram]) -> bool:
    """May this series run on a fresh chip? Accesses beyond ext_words pass where they are expected."""
    machine = Machine(strict=True)
    for program in series:
        bundle = program.bundle
        ext_words = EXT_ADDRESS_WORDS if program.strays_expected else bundle.ext_words
        if any(finding.severity is Severity.ERROR for finding in check_program(bundle.code, ext_words)):
            return False
        try:
            expected_run(machine, bundle, program.stimulus)
        except UninitializedRead:
            return False
    return True
