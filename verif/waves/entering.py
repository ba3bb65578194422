"""What enters the systolic array for one element of C: element k of its row of A and of its column of B."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from refmodel.isa.instructions import MatMul
from refmodel.machine.events import Memory, Write
from verif.bfm.harness import TOP
from verif.divergence.kind import DivergenceKind
from verif.waves.scene import Scene

_EDGE = f"{TOP}.u_mirrors.edge_"


@dataclass(frozen=True)
class Entering:
    """One edge of the array, over all k."""

    label: str
    """Such as `A[2][k]`."""
    first: int
    """The cycle in which element 0 must enter; element k follows k cycles later."""
    expected: tuple[int, ...]
    found: tuple[int | None, ...]
    """None: unknown, or not dumped."""

    @property
    def wrong(self) -> list[int]:
        """The k at which something else enters."""
        return [k for k, pair in enumerate(zip(self.expected, self.found, strict=True)) if pair[0] != pair[1]]

    def __str__(self) -> str:
        """Say in which cycles the elements enter, and which of them do so wrongly."""
        text = f"{self.label} enters in cycles {self.first}..{self.first + len(self.expected) - 1}"
        if not self.wrong:
            return f"{text}, every k as it must"
        k = self.wrong[0]
        found = "unknown" if self.found[k] is None else self.found[k]
        return f"{text}; k = {k}, in cycle {self.first + k}, is {found} rather than {self.expected[k]}"


def entering(scene: Scene) -> list[Entering]:
    """Return what enters for the wrong word of an MM: of A, then of B; nothing where that cannot be told.

    When the stream begins is told by the cycle from which on most elements are right.
    """
    divergence, trace = scene.divergence, scene.trace
    due, pc = divergence.expected, divergence.pc
    if divergence.kind is not DivergenceKind.DATA or pc >= len(trace.instructions):
        return []
    running = trace.instructions[pc]
    if not isinstance(running.instruction, MatMul) or not isinstance(due, Write) or due.memory is Memory.EXT:
        return []
    places = np.argwhere(running.written.region.addresses() == due.address)
    if not len(places):
        return []
    row, column = places[-1].tolist()
    a, b = (_low_bytes(operand.words) for operand in running.reads)
    edges = (
        (f"A[{row}][k]", f"{_EDGE}a{row}", row, a[row]),
        (f"B[k][{column}]", f"{_EDGE}b{column}", column, b[:, column]),
    )
    cycles = [cycle for cycle in scene.edges if running.busy.contains(type(running.busy).at(cycle))]
    shown: list[dict[int, int]] = []
    for _, name, _, _ in edges:
        values = scene.values(name, cycles)
        if values is None:
            return []
        shown.append({c: value.signed for c, value in zip(cycles, values, strict=True) if value.known})

    def right(begin: int) -> int:
        return sum(
            seen.get(begin + skew + k) == value
            for seen, (_, _, skew, values) in zip(shown, edges, strict=True)
            for k, value in enumerate(values.tolist())
        )

    begin = max(cycles, key=right, default=0)
    return [
        Entering(
            label,
            begin + skew,
            tuple(values.tolist()),
            tuple(seen.get(begin + skew + k) for k in range(len(values))),
        )
        for seen, (label, _, skew, values) in zip(shown, edges, strict=True)
    ]


def _low_bytes(
    words: np.ndarray[tuple[int, ...], np.dtype[np.uint32]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    return (words & 0xFF).astype(np.uint8).view(np.int8)
