"""The dump of a window on a good chip: these cycles and no others, and mirrors that tell the truth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from refmodel.machine.events import Event, Memory, Write
from refmodel.machine.trace import Trace, trace_program
from sequences.directed.directed_program import DirectedProgram, tour
from sequences.program_list_file import save_programs
from sequences.stimulus import Stimulus
from verif.divergence.divergence import Divergence
from verif.divergence.search import find_divergence
from verif.simulation.simulation import Simulation
from verif.tests.found_events import found_events
from verif.waves.check import what_is_missing
from verif.waves.choice import fetch_cycle, last_cycle, window_of
from verif.waves.dump import Value, WaveDump
from verif.waves.lanes import MIRRORS, WAVES
from verif.waves.leaving import dump_window
from verif.waves.scene import Scene

MATMUL, REQUANTIZE = 1, 2
"""Where they are in the tour."""

own_rtl_only = pytest.mark.skipif(
    bool(os.environ.get("RTL")), reason="mirrors are made for the project's RTL"
)


@dataclass(frozen=True)
class Dumped:
    """A window round the tour's MM in its second pass."""

    scene: Scene
    trace: Trace
    """The model's, of that pass."""

    def column(self, name: str) -> dict[int, Value]:
        """Return what a signal was in each cycle; fails if there is no such signal."""
        cycles = list(self.scene.edges)
        values = self.scene.values(name, cycles)
        assert values is not None, name
        return dict(zip(cycles, values, strict=True))


@pytest.fixture(scope="module")
def dumped(simulator: str, tmp_path_factory: pytest.TempPathFactory) -> Dumped:
    folder = tmp_path_factory.mktemp(f"window-{simulator}")
    bundle = tour(np.random.default_rng(5))
    first = trace_program(bundle)
    trace = trace_program(replace(bundle, ext=first.ext, scratchpad=None), first.result())
    halted = first.end.cycle + 1
    program = DirectedProgram("tour", bundle, Stimulus(extra_start=(halted, halted)))
    save_programs(folder, [DirectedProgram("before", tour(np.random.default_rng(6))), program])
    divergence = wrong_word(trace, MATMUL, 5)
    window = window_of(trace, divergence, start=2)
    dump = dump_window(Simulation(simulator, "", folder), folder, window, folder / "simulation")
    return Dumped(Scene(WaveDump(dump), window, divergence, trace), trace)


def wrong_word(trace: Trace, pc: int, position: int) -> Divergence:
    """Return the divergence of a chip whose instruction writes one wrong word, a bit off, in its own time."""
    events: list[Event] = found_events(trace)
    wrong = trace.instructions[pc].writes[position]
    place = (
        next(number for number, event in enumerate(events) if isinstance(event, Write) and event.pc == pc)
        + position
    )
    event = events[place]
    assert isinstance(event, Write)
    assert event.address == wrong.address
    events[place] = replace(event, data=event.data ^ 1)
    divergence = find_divergence(trace, events)
    assert divergence is not None
    return divergence


def test_it_holds_the_three_instructions_of_the_pass_asked_for(dumped: Dumped) -> None:
    first, last = fetch_cycle(dumped.trace, MATMUL - 1), last_cycle(dumped.trace, MATMUL + 1)
    assert list(dumped.scene.edges) == list(range(first, last + 1))
    assert {value.bits for value in dumped.column(f"{WAVES}.passes").values()} == {2}
    pcs = [value.bits for value in dumped.column("ga2_tb.imem_addr").values()]
    assert sorted(set(pcs)) == [MATMUL - 1, MATMUL, MATMUL + 1]
    assert pcs.count(MATMUL) == dumped.trace.instructions[MATMUL].retire.busy + 2


def test_it_shows_every_write_of_the_model(dumped: Dumped) -> None:
    enables = dumped.column(f"{WAVES}.scratchpad_write")
    addresses, words = (dumped.column(f"{WAVES}.scratchpad_write_{name}") for name in ("addr", "data"))
    shown = [
        (addresses[cycle].bits, words[cycle].bits) for cycle, enable in enables.items() if enable.bits == 1
    ]
    instructions = dumped.trace.instructions[MATMUL - 1 : MATMUL + 2]
    expected = [(write.address, write.data) for each in instructions for write in each.writes]
    assert shown == expected
    assert len(expected) > 100


@own_rtl_only
def test_mirrored_words_change_when_they_are_written(dumped: Dumped) -> None:
    window, matmul = dumped.scene.window, dumped.trace.instructions[MATMUL]
    wrong = matmul.writes[5]
    assert window.words[0] == wrong.address
    assert {matmul.writes[5].address, *_operands_of(matmul.reads, 1, 1)[:4]} <= set(window.words)
    for index, address in enumerate(window.words):
        data = dumped.column(f"{MIRRORS}.g_word[{index}].data")
        assert {value.bits for value in dumped.column(f"{MIRRORS}.g_word[{index}].address").values()} == {
            address
        }
        writes = [write for each in dumped.trace.instructions[: MATMUL + 1] for write in each.writes]
        last = next((write for write in reversed(writes) if write.address == address), None)
        if last is not None and last.memory is Memory.SCRATCHPAD:
            assert data[matmul.retire.cycle + 1].bits == last.data


def _operands_of(reads: Sequence[object], row: int, column: int) -> list[int]:
    a, b = (operand.region.addresses() for operand in reads)  # type: ignore[attr-defined]
    return [address for pair in zip(a[row].tolist(), b[:, column].tolist(), strict=True) for address in pair]


@own_rtl_only
def test_mirrors_of_the_matrix_unit(dumped: Dumped) -> None:
    """The edges carry rows of A and columns of B one after another, and the accumulators end as C."""
    matmul = dumped.trace.instructions[MATMUL]
    a, b = (operand.words.astype(np.uint8).astype(np.int8) for operand in matmul.reads)
    for lane in range(4):
        assert _holds(dumped, f"{MIRRORS}.edge_a{lane}", a[lane].tolist())
        assert _holds(dumped, f"{MIRRORS}.edge_b{lane}", b[:, lane].tolist())
    c = matmul.written.words.astype(np.int32)
    for row, column in np.ndindex(4, 4):
        sums = dumped.column(f"{MIRRORS}.sum{row}{column}")
        assert sums[matmul.retire.cycle].signed == c[row, column]
    words = [int.from_bytes(a[:, k].tobytes(), "little") for k in range(a.shape[1])]
    assert _holds(dumped, f"{MIRRORS}.rows_a", words, signed=False)
    assert _holds(dumped, f"{MIRRORS}.rows_a_after", words[1:], signed=False)


def _holds(dumped: Dumped, name: str, expected: list[int], *, signed: bool = True) -> bool:
    """Does a signal show these values in consecutive cycles of the MM?"""
    matmul = dumped.trace.instructions[MATMUL].busy
    column = dumped.column(name)
    shown = [
        column[cycle].signed if signed else column[cycle].bits for cycle in range(matmul.first, matmul.last)
    ]
    return any(shown[at : at + len(expected)] == expected for at in range(len(shown)))


def test_what_was_found_must_be_in_it(dumped: Dumped) -> None:
    """The chip is good: it does not show the wrong word that the divergence claims, but the right one."""
    scene = dumped.scene
    found = scene.divergence.found
    assert isinstance(found, Write)
    missing = what_is_missing(scene)
    assert missing is not None
    assert missing.startswith(
        f"cycle {found.cycle} does not show what was found: scratchpad[{found.address}] := "
    )
    assert _missing(scene, found=replace(found, data=found.data ^ 1)) is None
    assert _missing(scene, found=dumped.trace.instructions[MATMUL].retire) is None
    assert _missing(scene, found=replace(dumped.trace.instructions[MATMUL].retire, pc=7)) is not None
    assert _missing(scene, found=None, pc=MATMUL) is None
    assert _missing(scene, found=None, pc=MATMUL + 2) is not None
    last = scene.window.last
    assert (
        _missing(scene, cycle=last + 9)
        == f"it ends with cycle {last}, before the divergence in cycle {last + 9}"
    )
    early = replace(scene.window, first=scene.window.first - 1)
    assert what_is_missing(Scene(scene.dump, early, scene.divergence, scene.trace)) == (
        f"cycle {early.first} is not in it"
    )


def _missing(scene: Scene, **changes: object) -> str | None:
    found = changes.get("found")
    if found is not None:
        changes["cycle"] = found.cycle  # type: ignore[attr-defined]
    divergence = replace(scene.divergence, **changes)  # type: ignore[arg-type]
    return what_is_missing(Scene(scene.dump, scene.window, divergence, scene.trace))
