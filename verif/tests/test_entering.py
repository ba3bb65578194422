"""What the views of a window tell beside the signals: operands that enter the array, and the model's time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from refmodel.isa.instructions import Load, MatMul
from refmodel.machine.tests.helpers import program
from refmodel.machine.trace import trace_program
from verif.divergence.kind import DivergenceKind
from verif.waves.dump import Value
from verif.waves.entering import Entering, entering
from verif.waves.model_time import counters_in, phase_in
from verif.waves.scene import Scene

TRACE = trace_program(
    program(Load(90, 0, 3), MatMul(80, 0, 20, 2, 8, 2, False, 8, 2, 2), ext=[1, 2, 3], scratchpad=range(60))
)
MATMUL = TRACE.instructions[1]
BEGIN = MATMUL.busy.first + 35
"""When the stream of the made-up dump begins."""


def scene_of(row: int, column: int, wrong: dict[int, int]) -> Scene:
    """Return a scene in which `wrong` elements of the row of A enter as something else."""
    a = np.arange(16).reshape(2, 8)[row].tolist()
    b = (20 + np.arange(16)).reshape(8, 2)[:, column].tolist()
    a = [wrong.get(k, value) for k, value in enumerate(a)]
    shown = {f"edge_a{row}": (BEGIN + row, a), f"edge_b{column}": (BEGIN + column, b)}

    def values(name: str, cycles: list[int]) -> list[Value] | None:
        first, words = shown.get(name.rpartition(".")[2], (0, []))
        inside = [cycle - first if 0 <= cycle - first < len(words) else None for cycle in cycles]
        return [Value((0 if k is None else words[k]) & 0xFF, 0, 8) for k in inside] if words else None

    due = MATMUL.writes[2 * row + column]
    divergence = SimpleNamespace(kind=DivergenceKind.DATA, pc=1, expected=due)
    edges = {cycle: 10 * cycle for cycle in range(MATMUL.fetch_cycle, MATMUL.busy.last + 3)}
    return cast(Scene, SimpleNamespace(trace=TRACE, divergence=divergence, edges=edges, values=values))


@pytest.mark.parametrize(("row", "column"), [(0, 0), (1, 0), (1, 1)])
def test_each_element_has_its_cycle(row: int, column: int) -> None:
    a, b = entering(scene_of(row, column, {}))
    assert (a.label, a.first, a.wrong) == (f"A[{row}][k]", BEGIN + row, [])
    assert (b.label, b.first, b.wrong) == (f"B[k][{column}]", BEGIN + column, [])


def test_the_wrong_element_is_told() -> None:
    a, b = entering(scene_of(1, 0, {5: -3}))
    assert (a.wrong, b.wrong) == ([5], [])
    assert str(a).endswith(f"k = 5, in cycle {BEGIN + 6}, is -3 rather than 13")
    assert str(b).endswith("every k as it must")
    assert "is unknown rather than 1" in str(Entering("A[0][k]", 7, (1,), (None,)))


def test_nothing_is_told_of_other_divergences() -> None:
    scene = scene_of(0, 0, {})
    for change in ({"kind": DivergenceKind.TIMING}, {"pc": 0}, {"expected": None}, {"pc": 9}):
        divergence: Any = SimpleNamespace(**{**vars(scene.divergence), **change})
        other = SimpleNamespace(**{**vars(scene), "divergence": divergence})
        assert entering(cast(Scene, other)) == []


def test_the_model_tells_phases_and_counters_of_every_cycle() -> None:
    """The counters step as the retires say, and the phases are those of the law."""
    load, end = TRACE.instructions[0], TRACE.end
    phases = [phase_in(TRACE, cycle) for cycle in range(1, end.cycle + 2)]
    busy = load.retire.busy
    assert phases[: 3 + busy] == ["FETCH", "ISSUE", *["busy"] * busy, "FETCH"]
    assert phases[-3:] == ["FETCH", "ISSUE", "halted"]
    assert counters_in(TRACE, end.cycle + 1) == vars(end.counters)
    assert set(counters_in(TRACE, 1).values()) == {0}
    after = counters_in(TRACE, load.retire.cycle + 1)
    assert (after["cyc_dma"], after["n_inst"], after["cyc_total"]) == (busy, 1, load.retire.cycle)
    assert counters_in(TRACE, load.retire.cycle)["n_inst"] == 0
