"""The programs that studies weigh against each other, and what they take."""

from __future__ import annotations

import numpy as np

from refmodel.capra.program import Program
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program


def bundle_of(program: Program) -> Bundle:
    """Return a program with every input 1: time does not depend on data."""
    return program.bundle({name: np.ones(port.shape) for name, port in program.inputs.items()})


def cycles_of(program: Program) -> int:
    """Return its cyc_total."""
    bundle = bundle_of(program)
    return decode_program(bundle.code, bundle.read_latency).counters.cyc_total
