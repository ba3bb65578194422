"""The tensor element that a wrong word belongs to, and what the two words mean there."""

from __future__ import annotations

from dataclasses import dataclass

from refmodel.machine.event_text import signed
from refmodel.machine.events import Event, Memory, Write
from refmodel.machine.trace import Trace


@dataclass(frozen=True)
class TensorValue:
    """A tensor's element as it was expected and found; prints as in `k_new[1][9]: expected 12, found 13`."""

    tensor: str
    """Its name in the source map."""
    element: str
    """Name and indices: `k_new[1][9]`."""
    scale: float
    """Real value of one integer level."""
    expected: int
    found: int | None
    """None if the word was not written, or has unknown bits."""

    def __str__(self) -> str:
        """Return the integers, and the real value and scale behind them."""
        found = "nothing known" if self.found is None else str(self.found)
        real = self.expected * self.scale
        return (
            f"{self.element}: expected {self.expected}, found {found} (float {real:.3g}, scale "
            f"{self.scale:.3g})"
        )


def tensor_value(trace: Trace, expected: Event | None, found: Event | None) -> TensorValue | None:
    """Return what the source map says of the word that should have been written; None if it says nothing."""
    source_map = trace.bundle.source_map
    if source_map is None or not isinstance(expected, Write):
        return None
    if expected.memory is Memory.EXT:
        element = source_map.tensor_at_ext(expected.address)
    else:
        element = source_map.tensor_at(expected.address, expected.pc)
    if element is None:
        return None
    same_place = isinstance(found, Write) and (found.memory, found.address) == (
        expected.memory,
        expected.address,
    )
    known = isinstance(found, Write) and same_place and not found.unknown
    return TensorValue(
        tensor=element.tensor.name,
        element=str(element),
        scale=element.tensor.scale,
        expected=signed(expected.data),
        found=signed(found.data) if isinstance(found, Write) and known else None,
    )
