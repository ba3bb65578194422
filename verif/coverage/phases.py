"""What a unit is at in each of its busy cycles: phases by name, told from the cycle law of docs/isa.md."""

from __future__ import annotations

from itertools import accumulate, pairwise

from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd

DIVISION_CYCLES = 42
"""Of SM between its exponentials and its scaling: 40 quotient bits, and control on both sides."""

Phase = tuple[str, int, int]
"""Name, first and last busy cycle; busy cycles count from 1."""


def busy_phases(instruction: Instruction, latency: int) -> tuple[Phase, ...]:
    """Return the phases of an instruction's busy time in order; HALT and a faulting word have none.

    `latency` is that of reads. Phases that a short instruction does not have are left out.
    """
    match instruction:
        case Load(length=length):
            both = max(0, length - latency)
            parts = {
                "LD requesting": min(length, latency),
                "LD requesting and receiving": both,
                "LD waiting": max(0, latency - length),
                "LD receiving": min(length, latency),
                "LD writing its last word": 1,
            }
        case Store(length=length):
            parts = {"ST reading": 2, "ST writing": length - 1, "ST writing its last word": 1}
        case MatMul(m=m, k=k, n=n):
            parts = {
                "MM staging A": 1 + m * k,
                "MM staging B": 1 + k * n + 1,
                "MM streaming": 2 + k + m + n - 2,
                "MM writing": 1 + m * n + 1,
            }
        case Requantize(length=length):
            parts = {"RQ filling": min(2, length), "RQ running": max(0, length - 2), "RQ draining": 2}
        case Softmax(length=length):
            parts = {
                "SM finding the maximum": length + 1,
                "SM making exponentials": length + 2,
                "SM dividing": DIVISION_CYCLES,
                "SM scaling": length + 2,
            }
        case VectorAdd(length=length):
            parts = {"VADD reading": 2 * length, "VADD draining": 2}
        case ArgMax(length=length):
            parts = {"AMAX reading": length, "AMAX draining": 2, "AMAX writing": 1}
        case _:
            parts = {}
    ends = accumulate(parts.values(), initial=0)
    return tuple(
        (name, before + 1, last)
        for name, (before, last) in zip(parts, pairwise(ends), strict=True)
        if last > before
    )


def outstanding_reads(length: int, latency: int, busy: int) -> int:
    """Return how many reads of an LD are under way in one of its busy cycles, that of the cycle included."""
    return min(busy, length) - min(length, max(0, busy - latency))
