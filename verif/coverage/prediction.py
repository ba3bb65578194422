"""What a program will hit, told without a simulator: what the model leaves behind, as if the RTL had."""

from __future__ import annotations

import numpy as np

from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from verif.coverage.executed_program import WORD_BYTES, End, executed_program
from verif.coverage.passed_program import PassedProgram


def predicted(bundle: Bundle, machine: Machine | None = None) -> PassedProgram:
    """Run a bundle once on the model, plainly; what depends on pins and memory traffic is not predicted."""
    result = (machine or Machine()).run(bundle)
    fetched = len(result.retires) + 1
    code = b"".join(word.to_bytes(WORD_BYTES, "little") for word in bundle.code)
    size = fetched * WORD_BYTES
    return PassedProgram(
        executed=executed_program(
            code[:size].ljust(size, b"\0"),
            result.retires.tobytes(),
            End.FAULT if result.fault else End.HALT,
            fetched > len(bundle.code),
            len(result.ext),
        ),
        scratchpad=np.where(result.defined, result.scratchpad, 0xFFFF_FFFF).astype(np.uint32),
        scratchpad_known=result.defined,
        ext=result.ext.copy(),
        ext_known=result.ext_defined,
        met_start=1,
        met_reset=0,
        passes=1,
        traffic=None,
        source_map=bundle.source_map,
    )
