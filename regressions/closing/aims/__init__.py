"""Which stimulus is tried for the holes of each family of coverage items: one way a file."""

from __future__ import annotations

from regressions.closing.aim import Aim
from regressions.closing.aims.graphs import aim_at_graphs
from regressions.closing.aims.language import aim_at_language
from regressions.closing.aims.loops import aim_at_loops
from regressions.closing.aims.programs import aim_at_programs

_BY_FAMILY: dict[str, Aim] = {
    "language": aim_at_language,
    "host_loop": aim_at_loops,
    "compiler": aim_at_graphs,
}


def aim_of(family: str) -> Aim:
    """Return the way to the bins of a family; to whatever the chip does by itself it is random programs."""
    return _BY_FAMILY.get(family, aim_at_programs)
