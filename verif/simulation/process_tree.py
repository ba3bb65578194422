"""What a process and all its descendants use at the moment, as Linux counts it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Usage:
    """Of a process and its descendants."""

    cpu: float = 0.0
    """Seconds of CPU time, those of children that have ended included."""
    memory: int = 0
    """Bytes of resident memory; what processes share counts for each."""


def usage_of(pid: int) -> Usage:
    """Return what a process and its descendants use; a process that ends meanwhile counts as nothing."""
    cpu, memory = 0.0, 0
    waiting = [pid]
    while waiting:
        process = Path(f"/proc/{waiting.pop()}")
        try:
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            lists = [path.read_text(encoding="ascii") for path in process.glob("task/*/children")]
        except OSError:
            continue
        cpu += sum(map(int, fields[11:15])) * _TICK  # utime, stime, cutime, cstime of proc(5)
        memory += int(fields[21]) * _PAGE
        waiting += [int(child) for children in lists for child in children.split()]
    return Usage(cpu, memory)
