"""A divergence for people, as plain text of at most 100 columns, and for programs, as JSON values."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from refmodel.isa.timing import Origin
from refmodel.machine.event_json import event_json, operand_json
from refmodel.machine.event_text import busy_text, operand_text
from refmodel.machine.report_lines import labelled
from verif.divergence.divergence import Divergence, RetirePair
from verif.divergence.timing import TimingDifference


def divergence_text(divergence: Divergence) -> str:
    """Return the report: the events, the operands, the cycle law if time is off, the retires before."""
    lines = [
        divergence.headline,
        *([] if divergence.source is None else _served(divergence, divergence.source)),
        *labelled("", divergence.message, 0),
        "",
        *labelled("expected", divergence.expected_text),
        *labelled("found", divergence.found_text),
    ]
    if divergence.tensor is not None:
        lines += labelled("tensor", str(divergence.tensor))
    if divergence.element is not None:
        lines += labelled("operand", divergence.element)
    if divergence.unit is not None:
        lines += labelled("unit", f"{divergence.unit.name.lower()} ({divergence.unit.value})")
    for operand in divergence.operands:
        lines += labelled(f"read {operand.name}", operand_text(operand))
    if divergence.timing is not None:
        lines += ["", *_timing(divergence.timing)]
    lines += ["", *_retires(divergence.retires_before)]
    return "\n".join(lines) + "\n"


def divergence_json(divergence: Divergence) -> dict[str, Any]:
    """Return the report as JSON values; events, operands and retires in full."""
    timing = divergence.timing
    return {
        "kind": divergence.kind.name.lower(),
        "message": divergence.message,
        "pc": divergence.pc,
        "instruction": divergence.text,
        "opcode": divergence.opcode,
        "unit": divergence.unit.name.lower() if divergence.unit else None,
        "source": divergence.source,
        "service": divergence.service,
        "tensor": asdict(divergence.tensor) if divergence.tensor else None,
        "element": divergence.element,
        "cycle": divergence.cycle,
        "position": divergence.position,
        "expected": event_json(divergence.expected) if divergence.expected else None,
        "found": event_json(divergence.found) if divergence.found else None,
        "timing": _timing_json(timing) if timing else None,
        "operands": [operand_json(operand) for operand in divergence.operands],
        "retires_before": [
            {"instruction": pair.text, "expected": event_json(pair.expected), "found": event_json(pair.found)}
            for pair in divergence.retires_before
        ],
    }


def _served(divergence: Divergence, source: str) -> list[str]:
    return labelled("", f"{divergence.opcode} #{divergence.pc}, {source}", 0)


def _timing(timing: TimingDifference) -> Iterator[str]:
    """Yield the terms of the law, and what could be off."""
    yield f"  busy cycles: expected {timing.expected}, found {timing.found} ({timing.difference:+d})"
    for part in timing.parts:
        constant = " (control constant)" if part.origin is Origin.CONTROL else ""
        yield f"  {part.cycles:>8}  {part.name}{constant}"
    if not timing.candidates:
        yield "  no single term or size accounts for the difference"
        return
    yield "  each of these alone would account for the difference:"
    for candidate in timing.candidates:
        yield from labelled("", f"- {candidate}", 2)


def _timing_json(timing: TimingDifference) -> dict[str, Any]:
    return {
        "expected": timing.expected,
        "found": timing.found,
        "parts": [
            {"name": part.name, "cycles": part.cycles, "origin": part.origin.name.lower()}
            for part in timing.parts
        ],
        "candidates": list(timing.candidates),
    }


def _retires(pairs: tuple[RetirePair, ...]) -> Iterator[str]:
    """Yield the retires before, side by side."""
    if not pairs:
        yield "  nothing has retired before"
        return
    yield f"  {'retired before':42}{'expected':28}{'found':28}".rstrip()
    for pair in pairs:
        text = textwrap.shorten(f"{pair.pc}: {pair.text}", 40, placeholder=" …")
        expected, found = (
            f"{busy_text(retire)}, cycle {retire.cycle}" for retire in (pair.expected, pair.found)
        )
        yield f"  {text:42}{expected:28}{found:28}".rstrip()
