"""What the model does in a bundle, instruction by instruction, as text and as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.timing import busy_parts, unit_of
from refmodel.machine.event_json import event_json, operand_json
from refmodel.machine.event_text import counters_text, operand_text
from refmodel.machine.report_lines import labelled
from refmodel.machine.trace import Trace, trace_program
from refmodel.machine.traced_instruction import TracedInstruction
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle


@dataclass(frozen=True)
class Explanation:
    """A traced program, or one instruction of it."""

    trace: Trace
    pc: int | None
    """The instruction that is asked for; None for all of them and the end."""

    @property
    def instructions(self) -> tuple[TracedInstruction, ...]:
        """The instructions to be told."""
        every = self.trace.instructions
        return every if self.pc is None else every[self.pc : self.pc + 1]

    @property
    def shows_end(self) -> bool:
        """Is the word that ends the program to be told?"""
        return self.pc in (None, self.trace.end.pc)

    def lines(self) -> Iterator[str]:
        """Yield the text."""
        for instruction in self.instructions:
            yield from _instruction_lines(self.trace, instruction)
        if self.shows_end:
            yield from _end_lines(self.trace)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values, every word included."""
        return {
            "instructions": [_instruction_json(self.trace, each) for each in self.instructions],
            "end": event_json(self.trace.end) if self.shows_end else None,
        }


def explain_bundle(path: Path, pc: int | None) -> Explanation:
    """Trace a bundle on the model, its scratchpad preset to zeros where it gives none.

    Raises Ga2Error for a damaged bundle, for a program that the static checker refuses, and for a `pc` that
    is never reached.
    """
    bundle = load_bundle(path)
    require_sound(path, bundle)
    if bundle.scratchpad is None:
        bundle = replace(bundle, scratchpad=np.zeros(0, np.uint32))
    trace = trace_program(bundle)
    end = trace.end
    if pc is not None and not 0 <= pc <= end.pc:
        raise Ga2Error(
            f"--pc {pc}: {path} never comes there, it ends with a {end.kind} at pc {end.pc}; "
            f"choose 0..{end.pc}"
        )
    return Explanation(trace, pc)


def _instruction_lines(trace: Trace, traced: TracedInstruction) -> Iterator[str]:
    busy, fetch = traced.busy, traced.fetch_cycle
    unit = unit_of(traced.instruction)
    assert unit is not None
    parts = busy_parts(traced.instruction, trace.bundle.read_latency)
    yield f"pc {traced.retire.pc}: {trace.disassembly(traced.retire.pc)}"
    yield from labelled(
        "cycles",
        f"FETCH {fetch}, ISSUE {fetch + 1}, busy {busy.first}..{busy.last} ({unit.value})",
    )
    yield from labelled("busy", f"{traced.retire.busy} = " + " + ".join(str(part.cycles) for part in parts))
    for part in parts:
        yield from labelled("", f"{part.cycles:>6}  {part.name}")
    for operand in traced.reads:
        yield from labelled(f"reads {operand.name}", operand_text(operand))
    yield from labelled("dst before", operand_text(traced.overwritten))
    yield from labelled("dst after", operand_text(traced.written))
    yield ""


def _end_lines(trace: Trace) -> Iterator[str]:
    end = trace.end
    yield f"pc {end.pc}: {trace.disassembly(end.pc)}"
    if end.fault:
        yield from labelled("faults", str(fault_reason(decode(trace.bundle.code[end.pc]))))
    yield from labelled("cycles", f"FETCH {end.cycle - 1}, ISSUE {end.cycle}")
    yield from labelled("counters", counters_text(end.counters))


def _instruction_json(trace: Trace, traced: TracedInstruction) -> dict[str, Any]:
    unit = unit_of(traced.instruction)
    assert unit is not None
    parts = busy_parts(traced.instruction, trace.bundle.read_latency)
    return {
        "pc": traced.retire.pc,
        "instruction": trace.disassembly(traced.retire.pc),
        "unit": unit.name.lower(),
        "fetch_cycle": traced.fetch_cycle,
        "first_busy_cycle": traced.busy.first,
        "last_busy_cycle": traced.busy.last,
        "busy_parts": [{"name": part.name, "cycles": part.cycles} for part in parts],
        "reads": [operand_json(operand) for operand in traced.reads],
        "dst_before": operand_json(traced.overwritten),
        "dst_after": operand_json(traced.written),
        "writes": [event_json(write) for write in traced.writes],
    }
