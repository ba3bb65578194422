"""The traces of the golden bundles end in the state that an independent implementation computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from refmodel.machine.events import Memory, Retire, Write
from refmodel.machine.trace import trace_program
from sequences.golden import golden_names, load_golden


@pytest.mark.parametrize("name", golden_names())
def test_the_writes_of_the_trace_add_up_to_the_expected_memories(name: str) -> None:
    bundle = load_golden(name)
    initial = np.zeros(0, np.uint32) if bundle.scratchpad is None else bundle.scratchpad
    trace = trace_program(replace(bundle, scratchpad=initial))
    memories = {Memory.SCRATCHPAD: np.zeros(4096, np.uint32), Memory.EXT: np.zeros(65536, np.uint32)}
    memories[Memory.SCRATCHPAD][: len(initial)] = initial
    memories[Memory.EXT][: len(bundle.ext)] = bundle.ext
    for event in trace.events:
        if isinstance(event, Write):
            memories[event.memory][event.address] = event.data
    expect = bundle.expect
    assert expect is not None
    for memory, words in ((Memory.SCRATCHPAD, expect.scratchpad), (Memory.EXT, expect.ext)):
        assert memories[memory][: len(words)].tolist() == words.tolist()
        assert not memories[memory][len(words) :].any()
    assert (trace.end.fault, trace.end.counters) == (expect.fault, expect.counters)
    busy = sum(event.busy for event in trace.events if isinstance(event, Retire))
    assert trace.end.cycle == expect.counters.cyc_total == 2 * (expect.counters.n_inst + 1) + busy
