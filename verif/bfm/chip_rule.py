"""What the project's RTL checks of itself in every cycle; RTL of the user's own has no such rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum


class ChipRule(IntEnum):
    """Numbered as in hdl/rtl/ga2_invariants.sv, which does the work."""

    CHIP_STATE = 0
    CHIP_TURN = 1
    CHIP_ACCESS = 2
    CHIP_SUM_LAW = 3

    @property
    def sentence(self) -> str:
        """What hdl/rtl/ga2_invariants.sv says."""
        return _SENTENCES[self]


_SENTENCES: Mapping[ChipRule, str] = {
    ChipRule.CHIP_STATE: "the sequencer is in one of its states",
    ChipRule.CHIP_TURN: "the unit in its turn is at work and every other unit is idle",
    ChipRule.CHIP_ACCESS: "scratchpad and external memory are touched only by the unit in its turn",
    ChipRule.CHIP_SUM_LAW: "cyc_total = 2 * (n_inst + f) + cyc_mm + cyc_dma + cyc_vec",
}
