"""Compares the memory traffic of a run with what its program must have caused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refmodel.isa.instructions import Load, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.result import RunResult
from verif.memory_agent.traffic import MemoryTraffic, Request, Write
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.verdict import Aspect


def compare_traffic(
    comparison: Comparison, bundle: Bundle, expected: RunResult, found: RunResult, traffic: MemoryTraffic
) -> None:
    """Compare addresses and their order, and the writes' data with the memory that the run left."""
    instructions = decode_program(bundle.code, bundle.read_latency).instructions
    reads = [_addresses(each.src, each.length) for each in instructions if isinstance(each, Load)]
    writes = [_addresses(each.dst, each.length) for each in instructions if isinstance(each, Store)]
    _compare_addresses(comparison, "request", reads, traffic.requests)
    _compare_addresses(comparison, "write", writes, traffic.writes)
    comparison.value(Aspect.TRAFFIC, "responses", len(traffic.requests), len(traffic.responses))
    _compare_data(comparison, bundle, expected.ext_defined, found, traffic.writes)


def _addresses(first: int, length: int) -> list[int]:
    return [(first + offset) % EXT_ADDRESS_WORDS for offset in range(length)]


def _compare_addresses(
    comparison: Comparison, what: str, parts: list[list[int]], found: Sequence[Request | Write]
) -> None:
    expected = [address for part in parts for address in part]
    comparison.value(Aspect.TRAFFIC, f"number of {what}s", len(expected), len(found))
    wrong = [
        (position, address, each)
        for position, (address, each) in enumerate(zip(expected, found, strict=False))
        if address != each.address
    ]
    if not wrong:
        comparison.value(Aspect.TRAFFIC, f"wrong {what} addresses", 0, 0)
        return
    position, address, first = wrong[0]
    where = f"address of {what} {position} in cycle {first.cycle} ({len(wrong)} of {len(found)} are wrong)"
    comparison.value(Aspect.TRAFFIC, where, address, "X" if first.address is None else first.address)


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
