"""What GTKWave shows of a window: a save file with the signals by unit, opcode names, and a marker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from math import log2

from vcd.gtkw import GTKWColor, GTKWSave

from refmodel.isa.instructions import Opcode
from verif.bfm.harness import TOP
from verif.waves.declared_names import declared_names
from verif.waves.lanes import MIRRORS, WAVES
from verif.waves.scene import Scene

INSTANCES = {
    "LD": "u_dma_load",
    "ST": "u_dma_store",
    "MM": "u_matrix_unit",
    "RQ": "u_requantizer",
    "SM": "u_softmax",
    "VADD": "u_vector_add",
    "AMAX": "u_argmax",
}
"""Where the project's RTL executes an instruction; its group is open."""

_CYCLES_BEFORE = 12
"""Cycles on the screen before the marker."""

_FRAME_PIXELS, _CYCLE_PIXELS = 200, 40
"""GTKWave's zoom is the negative binary logarithm of the ticks in a frame of so many pixels."""

_OPCODE_BITS = 4


@dataclass(frozen=True)
class _Entry:
    """One line of GTKWave's list."""

    name: str
    alias: str | None = None
    form: str = "hex"
    names_opcodes: bool = False


def opcode_filter() -> str:
    """Return a translate filter: what GTKWave shows for each hexadecimal opcode."""
    names = {opcode.value: opcode.name for opcode in Opcode}
    return "".join(f"{code:x} {names.get(code, 'illegal')}\n" for code in range(1 << _OPCODE_BITS))


def save_file(scene: Scene, own_name: str, filter_name: str) -> str:
    """Return the save file of a scene's dump, to stand beside it with the filter, which is `opcode_filter`.

    It names its files from its own place on, so that a folder can be moved. GTKWave looks beside the save
    file only for names that begin with a directory, and only if it says what it is called itself.
    """
    text = StringIO()
    save = GTKWSave(text)
    edge, period = scene.edges[scene.marker], scene.dump.period
    marker = edge + scene.dump.settle_time  # where the samples show this cycle too
    save.dumpfile(f"./{scene.dump.path.name}", abspath=False)
    save.savefile(f"./{own_name}", abspath=False)
    save.timestart(max(min(scene.edges.values()), edge - _CYCLES_BEFORE * period))
    save.zoom_markers(-log2(period * _FRAME_PIXELS / _CYCLE_PIXELS), marker=marker, a=marker)
    save.size(1600, 1000)
    save.signals_width(260)
    save.sst_expanded(False)
    save.treeopen(f"{TOP}.dut")
    save.comment(f"the marker is at the divergence: {scene.headline}")
    declared = declared_names(scene.dump.path)
    for title, is_open, entries in _groups(scene, sorted(declared)):
        with save.group(title, closed=not is_open):
            for entry in entries:
                save.trace(
                    declared[entry.name],
                    alias=entry.alias,
                    datafmt=entry.form,
                    color=GTKWColor.orange if entry.names_opcodes else GTKWColor.normal,
                    translate_filter_file=f"./{filter_name}" if entry.names_opcodes else None,
                )
    return text.getvalue()


def _groups(scene: Scene, names: Sequence[str]) -> Iterator[tuple[str, bool, list[_Entry]]]:
    """Yield title, whether it is open, and signals of each group, as far as the dump has these names."""
    held = set(names)
    words = [
        _Entry(f"{MIRRORS}.g_word[{index}].data", f"scratchpad[{address}]", "signed")
        for index, address in enumerate(scene.window.words)
    ]
    sampled = f"{WAVES}.scratchpad_write"
    fixed = [
        (
            "program",
            [
                _Entry(f"{TOP}.clk"),
                _Entry(f"{WAVES}.cycle", "cycle", "dec"),
                _Entry(f"{TOP}.imem_addr", "pc", "dec"),
                _Entry(f"{TOP}.opcode", names_opcodes=True),
                _Entry(f"{TOP}.start"),
                _Entry(f"{TOP}.halted"),
                _Entry(f"{TOP}.fault"),
                _Entry(f"{TOP}.n_inst", form="dec"),
                _Entry(f"{TOP}.retired_pc", form="dec"),
                _Entry(f"{TOP}.retired_opcode", names_opcodes=True),
            ],
        ),
        (
            "counters",
            [_Entry(f"{TOP}.{name}", form="dec") for name in ("cyc_total", "cyc_mm", "cyc_dma", "cyc_vec")],
        ),
        (
            "external reads",
            [
                _Entry(f"{TOP}.req_valid"),
                _Entry(f"{TOP}.req_addr", form="dec"),
                _Entry(f"{TOP}.resp_valid"),
                _Entry(f"{TOP}.resp_data", form="signed"),
            ],
        ),
        (
            "external writes",
            [
                _Entry(f"{TOP}.wr_valid"),
                _Entry(f"{TOP}.wr_addr", form="dec"),
                _Entry(f"{TOP}.wr_data", form="signed"),
            ],
        ),
        (
            "scratchpad writes",
            [
                _Entry(sampled, "write"),
                _Entry(f"{sampled}_addr", "address", "dec"),
                _Entry(f"{sampled}_data", "data", "signed"),
            ],
        ),
        ("scratchpad words", words),
    ]
    for title, entries in fixed:
        present = [entry for entry in entries if entry.name in held]
        if present:
            yield title, True, present
    yield from _mirror_groups(scene, names)
    yield from _unit_groups(scene, names)


def _mirror_groups(scene: Scene, names: Sequence[str]) -> Iterator[tuple[str, bool, list[_Entry]]]:
    """Yield operand memories, array edges and accumulators, open where the matrix unit diverges."""
    is_open = scene.divergence.opcode == "MM"
    for title, prefix, form in (
        ("matrix operand rows", f"{MIRRORS}.rows_", "hex"),
        ("systolic array edges", f"{MIRRORS}.edge_", "signed"),
        ("systolic array sums", f"{MIRRORS}.sum", "signed"),
    ):
        entries = [
            _Entry(name, name.removeprefix(f"{MIRRORS}."), form) for name in names if name.startswith(prefix)
        ]
        if entries:
            yield title, is_open, entries


def _unit_groups(scene: Scene, names: Sequence[str]) -> Iterator[tuple[str, bool, list[_Entry]]]:
    """Yield a group for every instance right below the chip, whatever RTL it is."""
    inside = f"{TOP}.dut."
    units: dict[str, list[_Entry]] = {}
    for name in names:
        unit, dot, rest = name.removeprefix(inside).partition(".")
        if name.startswith(inside) and dot:
            units.setdefault(unit, []).append(_Entry(name, rest))
    for unit, entries in units.items():
        yield unit, unit == INSTANCES.get(scene.divergence.opcode), entries
