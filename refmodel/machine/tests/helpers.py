"""Short ways to make bundles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import Halt, Instruction
from refmodel.machine.bundle import Bundle


def words(values: Sequence[int]) -> NDArray[np.uint32]:
    """Return memory words from signed or unsigned numbers."""
    return np.array([value % 2**32 for value in values], dtype=np.uint32)


def program(
    *instructions: Instruction,
    ext: Sequence[int] = (),
    scratchpad: Sequence[int] | None = None,
    ext_words: int = 100,
    read_latency: int = 8,
) -> Bundle:
    """Return the bundle of some instructions and a HALT."""
    return Bundle(
        code=encode_program([*instructions, Halt()]),
        ext=words(ext),
        ext_words=ext_words,
        read_latency=read_latency,
        scratchpad=None if scratchpad is None else words(scratchpad),
    )
