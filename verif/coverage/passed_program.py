"""One run of a program that passed, with everything that coverage may look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.result import WordArray
from refmodel.source_map.source_map import SourceMap
from verif.coverage.executed_program import ExecutedProgram
from verif.coverage.value_places import PlaceArray
from verif.memory_agent.traffic import MemoryTraffic


@dataclass(frozen=True, eq=False)
class PassedProgram:
    """What the RTL did, and what its memories held afterwards."""

    executed: ExecutedProgram
    memory: WordArray
    """Scratchpad, then external memory, in the order of `value_places`."""
    known: NDArray[np.bool_] | None
    """Which of these words are defined and were compared; None: all."""
    met_start: int
    """Situations in which start came, a bit each (hdl/tb/ga2_tb_run_control.sv)."""
    met_reset: int
    """Situations in which rst came."""
    passes: int
    """How often the program was started."""
    traffic: MemoryTraffic | None
    """What the memory monitors saw, where they looked."""
    source_map: SourceMap | None
    """What the compiler says of the program."""

    def readable(self, places: PlaceArray) -> NDArray[np.bool_]:
        """Tell which places still hold a value that was compared."""
        there: NDArray[np.bool_] = places >= 0
        return there if self.known is None else there & self.known[places]

    def signed(self, places: PlaceArray) -> NDArray[np.int64]:
        """Return signed 32-bit words."""
        return self.memory[places].view(np.int32).astype(np.int64)

    def bytes(self, places: PlaceArray) -> NDArray[np.int64]:
        """Return signed low bytes."""
        return self.memory[places].astype(np.uint8).view(np.int8).astype(np.int64)
