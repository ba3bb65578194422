"""What a wrong busy time is put down to, against the cycle law worked out by hand."""

from __future__ import annotations

import pytest

from refmodel.isa.instructions import ArgMax, Instruction, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from verif.divergence.timing import timing_difference

# One more of M costs K + 1 + N = 8 cycles, of K M + N + 1 = 6, of N K + 1 + M = 7.
# M·K = 8, K·N = 12, K + M + N − 2 = 7, M·N = 6 and 7 of control: 40 cycles.
MATMUL = MatMul(0, 0, 0, 2, 4, 3)

CASES: list[tuple[Instruction, int, list[str]]] = [
    (MATMUL, 41, ["control: 8 rather than 7 (control constant)"]),
    (MATMUL, 33, [
        "skewed stream through the array: its 7 cycles left out",
        "control: 0 rather than 7 (control constant)",
        "as if N were 2 rather than 3",
    ]),
    (MATMUL, 28, ["stage B, one word a cycle: its 12 cycles left out", "as if K were 2 rather than 4"]),
    (MATMUL, 48, [
        "stage A, one word a cycle: its 8 cycles spent twice",
        "control: 15 rather than 7 (control constant)",
        "as if M were 3 rather than 2",
    ] ),
    (MATMUL, 9, []),
    (Load(0, 0, 5), 15, [
        "control: 2 rather than 1 (control constant)",
        "as if len were 6 rather than 5",
        "as if the read latency were 9 rather than 8",
    ]),
    (Load(0, 0, 5), 6, [
        "latency of the last response: its 8 cycles left out",
    ]),
    (Store(0, 0, 1), 4, [
        "control before the first write: 3 rather than 2 (control constant)",
        "one write a cycle: its 1 cycles spent twice",
        "as if len were 2 rather than 1",
    ]),
    (Requantize(0, 0, 4095, 1, 1), 4098, ["control: 3 rather than 2 (control constant)"]),
    (Softmax(0, 0, 4), 58, ["division and control: 46 rather than 47 (control constant)"]),
    (Softmax(0, 0, 4), 62, [
        "division and control: 50 rather than 47 (control constant)",
        "as if len were 5 rather than 4",
    ]),
    (VectorAdd(0, 0, 0, 6), 13, ["control: 1 rather than 2 (control constant)"]),
    (ArgMax(0, 0, 6), 8, [
        "control: 2 rather than 3 (control constant)",
        "as if len were 5 rather than 6",
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "found", "candidates"), CASES)
def test_candidates(instruction: Instruction, found: int, candidates: list[str]) -> None:
    assert list(timing_difference(instruction, 8, found).candidates) == candidates


def test_parts_and_difference() -> None:
    timing = timing_difference(MATMUL, 8, 39)
    assert [part.cycles for part in timing.parts] == [8, 12, 7, 6, 7]
    assert (timing.expected, timing.found, timing.difference) == (40, 39, -1)
