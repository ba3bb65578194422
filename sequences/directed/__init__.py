"""Directed programs: each a corner of docs/isa.md, with the stimulus it needs. No pyuvm here.

`all_directed(seed)` lists them in the order in which they must run: some use what the one before left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sequences.directed.addresses import address_programs
from sequences.directed.argmax import argmax_programs
from sequences.directed.control import control_programs
from sequences.directed.cuts import cut_programs
from sequences.directed.directed_program import DirectedProgram
from sequences.directed.faults import fault_programs
from sequences.directed.hazards import hazard_programs
from sequences.directed.latencies import latency_programs
from sequences.directed.long_rows import long_row_programs
from sequences.directed.longest import (
    counter_programs,
    longest_programs,
    wide_counter_programs,
)
from sequences.directed.matrix import matrix_programs
from sequences.directed.operands import operand_programs
from sequences.directed.order import order_programs
from sequences.directed.pc_carries import pc_carry_programs, pc_programs
from sequences.directed.pc_wrap import first_wrap_programs, instruction_counter_programs, pc_wrap_programs
from sequences.directed.requantizer import requantizer_programs
from sequences.directed.resets import reset_programs
from sequences.directed.rounding import rounding_programs
from sequences.directed.single_bits import single_bit_programs
from sequences.directed.sizes import size_programs
from sequences.directed.surroundings import surroundings_programs
from sequences.directed.vectors import vector_programs

GROUPS: dict[str, Callable[[int], Iterator[DirectedProgram]]] = {
    "sizes": size_programs,
    "matrix": matrix_programs,
    "requantizer": requantizer_programs,
    "vectors": vector_programs,
    "addresses": address_programs,
    "order": order_programs,
    "faults": fault_programs,
    "latencies": latency_programs,
    "control": control_programs,
    "resets": reset_programs,
    "surroundings": surroundings_programs,
    "longest": longest_programs,
    "single-bits": single_bit_programs,
    "argmax": argmax_programs,
    "rounding": rounding_programs,
    "long-rows": long_row_programs,
    "operands": operand_programs,
    "pc": pc_programs,
    "hazards": hazard_programs,
    "cuts": cut_programs,
}
"""Groups by name; each takes a seed for its data. A group does not depend on the groups before it."""


LONG_GROUPS: dict[str, Callable[[int], Iterator[DirectedProgram]]] = {
    "counters": counter_programs,
    "wide-counters": wide_counter_programs,
    "pc-carries": pc_carry_programs,
    "pc-wrap": pc_wrap_programs,
    "instruction-counter": instruction_counter_programs,
    "first-wrap": first_wrap_programs,
}
"""Groups that take many cycles, and run only where they are asked for by name."""


def all_directed(seed: int) -> Iterator[DirectedProgram]:
    """Yield every directed program, its name led by its group's."""
    for group in GROUPS.values():
        yield from group(seed)
