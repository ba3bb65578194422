"""The memory back door against the simulator's own handles."""

from __future__ import annotations

import os
from operator import attrgetter
from typing import Any

import cocotb
import numpy as np
import pyuvm

from refmodel.isa.limits import SCRATCHPAD_WORDS
from verif.bfm.bfm import SCRATCHPAD_VARIABLE, open_scratchpad
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class BackdoorTest(BenchTest):
    """Writes the scratchpad through the back door; no program runs.

    Payload `by_handle` and `by_backdoor`: words 0, 1 and the last, as cocotb and as the back door reads them.
    """

    async def stimulate(self) -> None:
        """Write each word's own address into it and read some of them both ways."""
        memory = open_scratchpad()
        memory.write(np.arange(SCRATCHPAD_WORDS, dtype=np.uint32))
        top: Any = cocotb.top
        handle = attrgetter(os.environ[SCRATCHPAD_VARIABLE])(top.dut)
        places = (0, 1, SCRATCHPAD_WORDS - 1)
        words, _ = memory.read()
        self.report.payload["by_handle"] = [int(handle[place].value) for place in places]
        self.report.payload["by_backdoor"] = [int(words[place]) for place in places]
