"""Every cycle of one program: which unit spends it, in which instruction, for which tensor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from refmodel.isa.encoding import decode
from refmodel.isa.faults import fault_reason
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.disassembler import disassemble_word
from refmodel.machine.events import CycleSpan, End
from refmodel.printable import printable
from regressions.soundness import require_sound
from regressions.timeline.lane import LANE_OF, Lane
from regressions.timeline.subject import FAULT, HALT, Subject, subjects_of
from sequences.bundle_file import load_bundle

FRONT_CYCLES = FETCH_CYCLES + ISSUE_CYCLES
"""Cycles of the front before the busy ones of an instruction, and of the word that ends the program."""


@dataclass(frozen=True, slots=True)
class Work:
    """One instruction that completes."""

    pc: int
    text: str
    """As assembly."""
    lane: Lane
    """The unit that executes it; never the front."""
    subject: Subject
    busy: CycleSpan
    """Its unit's cycles; cycle 1 is the FETCH of pc 0."""

    @property
    def front(self) -> CycleSpan:
        """The cycles of its FETCH and ISSUE."""
        return CycleSpan(self.busy.first - FRONT_CYCLES, self.busy.first - 1)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A program from its first cycle to its last."""

    title: str
    """The bundle's note, or else the name of its file."""
    works: tuple[Work, ...]
    """By pc, and so in the order of time."""
    end: End
    fault: str
    """Why the program faults; empty if it halts."""
    has_map: bool
    """Does a source map tell what the instructions are for?"""

    @property
    def cycles(self) -> int:
        """All cycles, cyc_total at the end."""
        return self.end.cycle

    @property
    def end_subject(self) -> Subject:
        """What the last FETCH and ISSUE are spent for."""
        return FAULT if self.end.fault else HALT

    def spans(self, lane: Lane) -> Iterator[CycleSpan]:
        """Yield when a lane works, in the order of time."""
        if lane is not Lane.FRONT:
            yield from (work.busy for work in self.works if work.lane is lane)
            return
        yield from (work.front for work in self.works)
        yield CycleSpan(self.end.cycle - FRONT_CYCLES + 1, self.end.cycle)


def timeline_of_bundle(path: Path) -> Timeline:
    """Return the time line of the bundle in a file, on the model.

    Raises Ga2Error for a damaged bundle and for a program that the static checker refuses.
    """
    bundle = load_bundle(path)
    require_sound(path, bundle)
    return timeline_of(bundle, bundle.note or path.name)


def timeline_of(bundle: Bundle, title: str) -> Timeline:
    """Return the time line of a program; nothing is executed, since time never depends on data."""
    program = decode_program(bundle.code, bundle.read_latency)
    last_cycles = program.last_cycles.tolist()
    subjects = subjects_of(program.instructions, bundle.source_map)
    starts = [0, *last_cycles]
    end_pc = len(program.instructions)
    return Timeline(
        title=printable(" ".join(title.split())),
        works=tuple(
            Work(
                pc=pc,
                text=disassemble_word(bundle.code[pc]),
                lane=LANE_OF[instruction.opcode],
                subject=subject,
                busy=CycleSpan(starts[pc] + FRONT_CYCLES + 1, last_cycles[pc]),
            )
            for pc, (instruction, subject) in enumerate(zip(program.instructions, subjects, strict=True))
        ),
        end=End(end_pc, program.fault, program.counters, starts[-1] + FRONT_CYCLES),
        fault=str(fault_reason(decode(bundle.code[end_pc]))) if program.fault else "",
        has_map=bundle.source_map is not None,
    )
