"""Does a dump show the divergence that it was made for? What was not dumped must not look like an answer."""

from __future__ import annotations

from refmodel.machine.events import End, Memory, Request, Retire, Write
from verif.bfm.harness import TOP
from verif.divergence.kind import DivergenceKind
from verif.waves.choice import shown_cycle
from verif.waves.dump import Value
from verif.waves.lanes import WAVES
from verif.waves.scene import Scene


def what_is_missing(scene: Scene) -> str | None:
    """Return what a dump lacks of its window or of the divergence, in a sentence; None if nothing is."""
    held = scene.edges
    gaps = [cycle for cycle in range(scene.window.first, max(held) + 1) if cycle not in held]
    if gaps:
        return f"cycle {gaps[0]} is not in it"
    found = scene.divergence.found
    cycle = shown_cycle(scene.divergence)
    if cycle and cycle not in held:
        return f"it ends with cycle {max(held)}, before the divergence in cycle {cycle}"
    if scene.divergence.kind is DivergenceKind.RULE:
        return None  # all that it shows is its cycle
    match found:
        case _ if scene.divergence.kind is DivergenceKind.STATE or scene.divergence.counters:
            shown = _shows_pc(scene, scene.divergence.pc)
        case Write():
            shown = _shows_write(scene, found)
        case Request():
            shown = _shows_request(scene, found)
        case Retire():
            shown = _shows_retire(scene, found)
        case End():
            shown = _shows_end(scene, found)
        case None:
            shown = _shows_pc(scene, scene.divergence.pc)
    if shown:
        return None
    return f"cycle {cycle} does not show what was found: {scene.facts[-1][1]}"


def _shows_write(scene: Scene, write: Write) -> bool:
    names = (f"{TOP}.wr_valid", f"{TOP}.wr_addr", f"{TOP}.wr_data")
    if write.memory is Memory.SCRATCHPAD:
        sampled = f"{WAVES}.scratchpad_write"
        names = (sampled, f"{sampled}_addr", f"{sampled}_data")
    enable, address, data = (_at(scene, name, write.cycle) for name in names)
    known = ~(write.unknown | data.unknown)
    return (
        (enable.bits, enable.unknown) != (0, 0)
        and address.bits == write.address
        and data.bits & known == write.data & known
    )


def _shows_request(scene: Scene, request: Request) -> bool:
    valid, address = (_at(scene, f"{TOP}.{name}", request.cycle) for name in ("req_valid", "req_addr"))
    return (valid.bits, valid.unknown) != (0, 0) and address.bits == request.address


def _shows_retire(scene: Scene, retire: Retire) -> bool:
    """Is its pc there, and does n_inst step at the end of its last busy cycle?"""
    if _at(scene, f"{TOP}.imem_addr", retire.cycle).bits != retire.pc:
        return False
    if retire.cycle + 1 not in scene.edges:
        return True
    before, after = (_at(scene, f"{TOP}.n_inst", cycle) for cycle in (retire.cycle, retire.cycle + 1))
    return after.bits == before.bits + 1


def _shows_end(scene: Scene, end: End) -> bool:
    if end.cycle + 1 not in scene.edges:
        return False
    halted, fault = (_at(scene, f"{TOP}.{name}", end.cycle + 1) for name in ("halted", "fault"))
    return (bool(halted.bits), bool(fault.bits)) == (True, end.fault)


def _shows_pc(scene: Scene, pc: int) -> bool:
    """Is an instruction anywhere in the window?"""
    values = scene.values(f"{TOP}.imem_addr", list(scene.edges)) or []
    return any(value.bits == pc for value in values)


def _at(scene: Scene, name: str, cycle: int) -> Value:
    values = scene.values(name, [cycle])
    return values[0] if values else Value(0, 0, 1)
