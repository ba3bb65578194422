"""Compares the memory traffic of a run with what its program must have caused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refmodel.machine.bundle import Bundle
from refmodel.machine.result import RunResult
from verif.memory_agent.traffic import MemoryTraffic, Request, Write
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.expected_traffic import Access, ExpectedTraffic
from verif.scoreboard.verdict import Aspect


def compare_traffic(
    comparison: Comparison,
    bundle: Bundle,
    due: ExpectedTraffic,
    expected: RunResult,
    found: RunResult,
    traffic: MemoryTraffic,
) -> None:
    """Compare cycles and addresses in order, and the writes' data with the memory that the run left."""
    _compare_accesses(comparison, "request", due.requests, traffic.requests)
    _compare_accesses(comparison, "write", due.writes, traffic.writes)
    comparison.value(Aspect.TRAFFIC, "responses", len(due.responses), len(traffic.responses))
    _compare_data(comparison, bundle, expected.ext_defined, found, traffic.writes)


def _compare_accesses(
    comparison: Comparison, what: str, expected: Sequence[Access], found: Sequence[Request | Write]
) -> None:
    comparison.value(Aspect.TRAFFIC, f"number of {what}s", len(expected), len(found))
    wrong = [
        (position, address, each)
        for position, ((_, address), each) in enumerate(zip(expected, found, strict=False))
        if address != each.address
    ]
    if wrong:
        position, address, first = wrong[0]
        where = (
            f"address of {what} {position} in cycle {first.cycle} ({len(wrong)} of {len(found)} are wrong)"
        )
        comparison.value(Aspect.TRAFFIC, where, address, "X" if first.address is None else first.address)
    late = [
        (position, cycle, each.cycle)
        for position, ((cycle, _), each) in enumerate(zip(expected, found, strict=False))
        if cycle != each.cycle
    ]
    position, cycle, seen = late[0] if late else (0, 0, 0)
    comparison.value(Aspect.TRAFFIC, f"cycle of {what} {position} ({len(late)} are wrong)", cycle, seen)


def _compare_data(
    comparison: Comparison,
    bundle: Bundle,
    compared: NDArray[np.bool_] | None,
    found: RunResult,
    writes: Sequence[Write],
) -> None:
    """Compare the memory that the writes seen make with the one found; `compared` as in `Comparison`.

    An X that the last write of a word leaves there is a mismatch too, unless the word may be undefined.
    """
    image = np.zeros(bundle.ext_words, np.uint32)
    image[: len(bundle.ext)] = bundle.ext
    unknown: dict[int, tuple[int, Write]] = {}
    for position, write in enumerate(writes):
        if write.address is None or write.address >= len(image):
            continue
        unknown.pop(write.address, None)
        if write.data is not None:
            image[write.address] = write.data
        elif compared is None or compared[write.address]:
            unknown[write.address] = position, write
    if unknown:
        position, write = min(unknown.values(), key=lambda each: each[0])
        where = f"data of write {position}, to word {write.address} in cycle {write.cycle}"
        comparison.value(Aspect.TRAFFIC, where, "a defined value", "X")
        return
    differ = image != found.ext
    if compared is not None:
        differ &= compared
    wrong = np.flatnonzero(differ)
    where = f"word {wrong[0]}" if len(wrong) else "all words"
    comparison.value(Aspect.TRAFFIC, f"external memory after the writes seen, {where}", 0, len(wrong))
