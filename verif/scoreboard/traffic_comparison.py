"""Compares the memory traffic of a run with what its program must have caused."""

from __future__ import annotations

import numpy as np

from refmodel.isa.instructions import Load, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.result import RunResult
from verif.memory_agent.traffic import MemoryTraffic
from verif.scoreboard.comparison import Comparison
from verif.scoreboard.verdict import Aspect


def compare_traffic(
    comparison: Comparison, bundle: Bundle, result: RunResult, traffic: MemoryTraffic
) -> None:
    """Compare addresses and their order, and the writes' data with the memory that the run left."""
    instructions = decode_program(bundle.code, bundle.read_latency).instructions
    reads = [_addresses(each.src, each.length) for each in instructions if isinstance(each, Load)]
    writes = [_addresses(each.dst, each.length) for each in instructions if isinstance(each, Store)]
    _compare_addresses(comparison, "request", reads, [each.address for each in traffic.requests])
    _compare_addresses(comparison, "write", writes, [each.address for each in traffic.writes])
    comparison.value(Aspect.TRAFFIC, "responses", len(traffic.requests), len(traffic.responses))
    image = np.zeros(bundle.ext_words, np.uint32)
    image[: len(bundle.ext)] = bundle.ext
    for write in traffic.writes:
        if write.address < len(image):
            image[write.address] = write.data
    wrong = np.flatnonzero(image != result.ext)
    where = f"word {wrong[0]}" if len(wrong) else "all words"
    comparison.value(Aspect.TRAFFIC, f"external memory after the writes seen, {where}", 0, len(wrong))


def _addresses(first: int, length: int) -> list[int]:
    return [(first + offset) % EXT_ADDRESS_WORDS for offset in range(length)]


def _compare_addresses(comparison: Comparison, what: str, parts: list[list[int]], found: list[int]) -> None:
    expected = [address for part in parts for address in part]
    comparison.value(Aspect.TRAFFIC, f"number of {what}s", len(expected), len(found))
    wrong = [
        position for position, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]
    ]
    where = (
        f"{what} addresses that are wrong, the first at {wrong[0]}" if wrong else f"wrong {what} addresses"
    )
    comparison.value(Aspect.TRAFFIC, where, 0, len(wrong))
