"""Which machine something was measured on."""

from __future__ import annotations

import hashlib
import os
import platform
from functools import cache

from regressions.benchmark.machine_description import processor


@cache
def this_machine() -> str:
    """Return processor, cores and a digest of the host name: the same on no other machine."""
    name = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
    return f"{processor()}, {os.cpu_count()} cores, {name}"
