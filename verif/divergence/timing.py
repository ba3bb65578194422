"""Which term of the cycle law is off, as far as two numbers can tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from refmodel.isa.faults import fault_reason
from refmodel.isa.instructions import Instruction, Load, MatMul
from refmodel.isa.timing import BusyPart, Origin, busy_cycles, busy_parts


@dataclass(frozen=True)
class TimingDifference:
    """A busy time that is not what the cycle law says."""

    parts: tuple[BusyPart, ...]
    """The law's terms for this instruction; they add up to `expected`."""
    expected: int
    found: int
    candidates: tuple[str, ...]
    """Every single change of a term, or of a size that the law is given, that would yield `found`.

    One difference may have several explanations, and none of them need be the cause.
    """

    @property
    def difference(self) -> int:
        """By how many cycles the busy time is off; positive if it is too long."""
        return self.found - self.expected


def timing_difference(instruction: Instruction, read_latency: int, found: int) -> TimingDifference:
    """Compare the busy time of an instruction that does not fault with the law's."""
    parts = busy_parts(instruction, read_latency)
    expected = sum(part.cycles for part in parts)
    terms = _changed_parts(parts, found - expected)
    sizes = _changed_sizes(instruction, read_latency, found)
    return TimingDifference(parts, expected, found, (*terms, *sizes))


def _changed_parts(parts: tuple[BusyPart, ...], difference: int) -> Iterator[str]:
    """Yield the terms that could be off by themselves: a constant by anything, a structural one by itself."""
    for part in parts:
        if part.origin is Origin.CONTROL:
            if part.cycles + difference >= 0:
                yield f"{part.name}: {part.cycles + difference} rather than {part.cycles} (control constant)"
        elif difference == -part.cycles:
            yield f"{part.name}: its {part.cycles} cycles left out"
        elif difference == part.cycles:
            yield f"{part.name}: its {part.cycles} cycles spent twice"


def _changed_sizes(instruction: Instruction, read_latency: int, found: int) -> Iterator[str]:
    """Yield the other sizes for which the law gives the time found; it is linear in each of them."""
    expected = busy_cycles(instruction, read_latency)
    for name in ("m", "k", "n") if isinstance(instruction, MatMul) else ("length",):
        size: int = getattr(instruction, name)
        per_unit = busy_cycles(_with_size(instruction, name, size + 1), read_latency) - expected
        other, rest = divmod(found - expected, per_unit)
        changed = _with_size(instruction, name, size + other)
        if not rest and fault_reason(changed) is None:
            symbol = "len" if name == "length" else name.upper()
            yield f"as if {symbol} were {size + other} rather than {size}"
    if isinstance(instruction, Load):
        latency = read_latency + found - expected
        if latency >= 1:
            yield f"as if the read latency were {latency} rather than {read_latency}"


def _with_size(instruction: Instruction, name: str, size: int) -> Instruction:
    change: dict[str, Any] = {name: size}
    return replace(instruction, **change)
