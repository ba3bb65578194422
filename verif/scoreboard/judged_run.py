"""What the scoreboard made of one run: what was observed, with the verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sequences.program_item import ProgramItem
from verif.bfm.observation import Observation
from verif.memory_agent.traffic import MemoryTraffic


@dataclass(frozen=True, eq=False)
class JudgedRun:
    """One run of one item."""

    item: ProgramItem
    found: Observation
    traffic: MemoryTraffic | None
    """Where the memory agent looked."""
    scratchpad_compared: NDArray[np.bool_]
    """bool[4096]: the words that the model knows, all of which were compared."""
    ext_compared: NDArray[np.bool_] | None
    """bool[ext_words], or None where every word was."""
    passed: bool
    """Was nothing wrong?"""
