"""Who can spend a cycle: the front of the machine, or one of its seven units."""

from __future__ import annotations

from enum import Enum

from refmodel.isa.instructions import Opcode
from refmodel.isa.timing import Unit


class Lane(Enum):
    """The part of the machine that works in a cycle; each cycle of a program has exactly one.

    A unit executes one operation. FETCH and ISSUE precede the busy cycles of every instruction, and are all
    that the word has which ends the program.
    """

    FRONT = ("fetch, issue", None, None)
    LOAD = ("DMA load", Opcode.LD, Unit.DMA)
    STORE = ("DMA store", Opcode.ST, Unit.DMA)
    MATRIX = ("matrix unit", Opcode.MM, Unit.MATRIX)
    REQUANTIZER = ("requantizer", Opcode.RQ, Unit.VECTOR)
    SOFTMAX = ("softmax", Opcode.SM, Unit.VECTOR)
    VECTOR_ADD = ("vector add", Opcode.VADD, Unit.VECTOR)
    ARGMAX = ("argmax", Opcode.AMAX, Unit.VECTOR)

    def __init__(self, title: str, opcode: Opcode | None, counter: Unit | None) -> None:
        """Give a lane its name for people, the operation it executes, and the counter of its cycles.

        Both are None for the front, whose cycles are in cyc_total alone.
        """
        self.title = title
        self.opcode = opcode
        self.counter = counter


LANE_OF: dict[int, Lane] = {lane.opcode: lane for lane in Lane if lane.opcode is not None}
"""The unit that executes an opcode; HALT has none."""
