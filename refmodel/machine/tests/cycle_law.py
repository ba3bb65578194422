"""Another cycle law for a test, in which instructions take longer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from refmodel.isa import timing
from refmodel.isa.instructions import Instruction
from refmodel.machine.decoded_program import decode_program


@contextmanager
def slower_by(cycles: int, *kinds: type) -> Iterator[None]:
    """Have instructions of these kinds take so many more cycles; programs decoded meanwhile are forgotten."""
    law = timing.busy_parts

    def slower(instruction: Instruction, read_latency: int) -> tuple[timing.BusyPart, ...]:
        parts = law(instruction, read_latency)
        more = timing.BusyPart("more", cycles, timing.Origin.CONTROL)
        return (*parts, more) if isinstance(instruction, kinds) else parts

    decode_program.cache_clear()
    with patch.object(timing, "busy_parts", slower):
        yield
    decode_program.cache_clear()
