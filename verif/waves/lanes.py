"""The signals that tell a window's story, in words: one lane each, with a text for every cycle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refmodel.isa.timing import Unit
from refmodel.machine.event_text import mnemonic
from refmodel.machine.event_text import signed as as_signed
from refmodel.machine.events import ALL_BITS, Event, Memory, Request, Write
from verif.bfm.harness import TOP
from verif.divergence.kind import DivergenceKind
from verif.waves.dump import Value
from verif.waves.model_time import COUNTERS, counters_in, phase_in
from verif.waves.scene import Scene

WAVES = f"{TOP}.u_waves"
MIRRORS = f"{TOP}.u_mirrors"

READ_PORT = f"{TOP}.dut.u_scratchpad.read"
"""Begins the names of the scratchpad's read port in RTL that has kept the project's hierarchy."""

MIRRORED_SHOWN = 8
"""Mirrored scratchpad words that get a lane."""


@dataclass(frozen=True)
class Lane:
    """One signal, or what several say together."""

    label: str
    texts: tuple[str, ...]
    """For each cycle; empty where it has nothing to say. A level has "1" and "0"."""
    is_level: bool = False
    is_marked: bool = False
    """Does the divergence show here?"""
    is_expected: bool = False
    """Is it no signal, but what the marked ones above should have been?"""


def lanes_of(scene: Scene, cycles: list[int]) -> list[Lane]:
    """Return the lanes of some cycles, those left out in which nothing happens."""
    return [lane for lane in _lanes(scene, cycles) if lane.is_marked or any(_says(lane))]


def _lanes(scene: Scene, cycles: list[int]) -> Iterator[Lane]:
    found = scene.divergence.found
    counters = scene.divergence.counters
    in_program = not isinstance(found, Write | Request) or scene.divergence.kind is DivergenceKind.STATE
    found = None if in_program else found
    yield Lane("pc", _texts(scene, f"{TOP}.imem_addr", cycles))
    yield Lane("opcode", _opcodes(scene, cycles))
    if counters:
        yield Lane("phase (model)", tuple(phase_in(scene.trace, cycle) for cycle in cycles))
        yield from _counters(scene, cycles)
    else:
        yield Lane("phase", _phases(scene, cycles), is_marked=in_program and not _is_request(scene))
    yield from _requests(scene, cycles)
    yield _level(scene, "response", f"{TOP}.resp_valid", cycles)
    yield _gated(scene, "  data", f"{TOP}.resp_valid", f"{TOP}.resp_data", cycles)
    yield from _write_port(
        scene,
        "external write",
        (f"{TOP}.wr_valid", f"{TOP}.wr_addr", f"{TOP}.wr_data"),
        cycles,
        _goes_to(found, Memory.EXT),
    )
    yield _level(scene, "scratchpad read", f"{READ_PORT}_i", cycles)
    yield _gated(scene, "  address", f"{READ_PORT}_i", f"{READ_PORT}_addr_i", cycles, signed=False)
    sampled = f"{WAVES}.scratchpad_write"
    yield from _write_port(
        scene,
        "scratchpad write",
        (sampled, f"{sampled}_addr", f"{sampled}_data"),
        cycles,
        _goes_to(found, Memory.SCRATCHPAD),
    )
    if scene.divergence.unit is Unit.MATRIX:
        yield from _array_edges(scene, cycles)
    for index, address in enumerate(scene.window.words[:MIRRORED_SHOWN]):
        name = f"{MIRRORS}.g_word[{index}].data"
        if name in scene.dump.names:
            yield Lane(f"scratchpad[{address}]", _texts(scene, name, cycles, signed=True))
    for name in ("start", "rst", "halted", "fault"):
        yield _level(scene, name, f"{TOP}.{name}", cycles)


def _counters(scene: Scene, cycles: list[int]) -> Iterator[Lane]:
    """Yield the counters, the wrong ones with what they should show; no phase can be told from them then."""
    due = counters_in(scene.trace, scene.marker)
    for name in COUNTERS:
        is_wrong = name in scene.divergence.counters
        yield Lane(name, _texts(scene, f"{TOP}.{name}", cycles), is_marked=is_wrong)
        if is_wrong:
            yield Lane("  expected", _at_marker(scene, cycles, str(due[name])), is_expected=True)


def _is_request(scene: Scene) -> bool:
    return any(isinstance(event, Request) for event in (scene.divergence.expected, scene.divergence.found))


def _requests(scene: Scene, cycles: list[int]) -> Iterator[Lane]:
    is_wrong, due = _is_request(scene), scene.divergence.expected
    yield _level(scene, "request", f"{TOP}.req_valid", cycles)
    valid, address = f"{TOP}.req_valid", f"{TOP}.req_addr"
    yield _gated(scene, "  address", valid, address, cycles, signed=False, is_marked=is_wrong)
    if is_wrong:
        text = str(due.address) if isinstance(due, Request) else "nothing"
        yield Lane("  expected", _at_marker(scene, cycles, text), is_expected=True)


def _says(lane: Lane) -> Iterator[bool]:
    """Yield for each cycle whether there is something to see."""
    return (text not in ("", "0") if lane.is_level else bool(text) for text in lane.texts)


def _goes_to(event: Event | None, memory: Memory) -> bool:
    return isinstance(event, Write) and event.memory is memory


def _write_port(
    scene: Scene, label: str, names: tuple[str, str, str], cycles: list[int], is_marked: bool
) -> Iterator[Lane]:
    enable, address, data = names
    expected, found = scene.divergence.expected, scene.divergence.found
    yield _level(scene, label, enable, cycles)
    wrong_address, wrong_data = True, True
    if isinstance(expected, Write) and isinstance(found, Write):
        wrong_address, wrong_data = expected.address != found.address, expected.data != found.data
    wrong_address |= not wrong_data  # where the word is right, its turn is not
    yield _gated(
        scene, "  address", enable, address, cycles, signed=False, is_marked=is_marked and wrong_address
    )
    yield _gated(scene, "  data", enable, data, cycles, is_marked=is_marked and wrong_data)
    if is_marked:
        text = "nothing" if scene.divergence.kind is DivergenceKind.EXTRA else _expected_word(expected, found)
        yield Lane("  expected", _at_marker(scene, cycles, text), is_expected=True)


def _expected_word(expected: Event | None, found: Event | None) -> str:
    """Return what the write port should have shown: the word, with its address if that is another one."""
    if not isinstance(expected, Write):
        return "nothing"
    word = "any" if expected.unknown == ALL_BITS else str(as_signed(expected.data))
    same = isinstance(found, Write) and found.address == expected.address
    return word if same else f"[{expected.address}] {word}"


def _at_marker(scene: Scene, cycles: list[int], text: str) -> tuple[str, ...]:
    return tuple(text if cycle == scene.marker else "" for cycle in cycles)


def _array_edges(scene: Scene, cycles: list[int]) -> Iterator[Lane]:
    """Yield what enters the array at row m and column n, and the sum that leaves it."""
    for edge in ("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"):
        yield Lane(
            f"{edge[0].upper()} edge {edge[1]}",
            _quiet(_texts(scene, f"{MIRRORS}.edge_{edge}", cycles, signed=True)),
        )
    yield Lane("sum", _quiet(_texts(scene, f"{MIRRORS}.edge_sum", cycles, signed=True)))


def _quiet(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return nothing for an edge that shows nothing but zeros or one value that never changes."""
    return () if len(set(texts)) == 1 else texts


def _level(scene: Scene, label: str, name: str, cycles: list[int]) -> Lane:
    values = scene.values(name, cycles) or []
    return Lane(label, tuple(_text(value, signed=False) for value in values), is_level=True)


def _gated(
    scene: Scene,
    label: str,
    enable: str,
    name: str,
    cycles: list[int],
    *,
    signed: bool = True,
    is_marked: bool = False,
) -> Lane:
    """Return a lane that speaks only while its enable is not low."""
    enables, values = scene.values(enable, cycles), scene.values(name, cycles)
    if enables is None or values is None:
        return Lane(label, ())
    texts = (
        _text(value, signed=signed) if gate.bits or gate.unknown else ""
        for gate, value in zip(enables, values, strict=True)
    )
    return Lane(label, tuple(texts), is_marked=is_marked)


def _texts(scene: Scene, name: str, cycles: list[int], *, signed: bool = False) -> tuple[str, ...]:
    return tuple(_text(value, signed=signed) for value in scene.values(name, cycles) or ())


def _text(value: Value, *, signed: bool) -> str:
    if not value.known:
        return "x"
    return str(value.signed if signed else value.bits)


def _opcodes(scene: Scene, cycles: list[int]) -> tuple[str, ...]:
    values = scene.values(f"{TOP}.opcode", cycles) or ()
    return tuple(mnemonic(value.bits) if value.known else "x" for value in values)


def _phases(scene: Scene, cycles: list[int]) -> tuple[str, ...]:
    """Tell FETCH, ISSUE and busy cycles from the counters, as far as ports tell."""
    names = ("halted", "cyc_total", "n_inst", "cyc_mm", "cyc_dma", "cyc_vec")
    columns = [scene.values(f"{TOP}.{name}", cycles) or () for name in names]
    return tuple(_phase(values) for values in zip(*columns, strict=True))


def _phase(values: Sequence[Value]) -> str:
    if not all(value.known for value in values):
        return "x"
    halted, total, instructions, *busy = (value.bits for value in values)
    if halted:
        return "halted"
    ahead = total - sum(busy) - 2 * instructions
    return {0: "FETCH", 1: "ISSUE", 2: "busy"}.get(ahead, "?")
