"""The log of a simulation: its text, its last lines, and the line that gives the reason why it broke off."""

from __future__ import annotations

import re
from pathlib import Path

from refmodel.printable import printable_lines
from verif.simulation.process_group import LONGEST_LINE

LOG_TAIL = 15
"""Lines."""

STARTED = re.compile(r" cocotb\.regression +running ")
"""What cocotb logs when it starts a test: from here on the chip can be to blame."""

EXCEPTION = re.compile(r"^[\w.]+(?:Error|Exception): .*$", re.MULTILINE)
"""How Python prints an exception outside cocotb's tests."""

_LAST_WORDS = (
    re.compile(r"^(?:\[\d+\] )?(?:FATAL|ERROR|%Fatal|%Error(?:-\w+)?): .*$", re.MULTILINE),
    re.compile(r"(?<=  )[\w.]+(?:Error|Failure|Exception): .*$", re.MULTILINE),
)
"""How the simulators print $fatal and $error, and how cocotb prints an exception.

The first that is there counts, wherever in the log it stands: simulator and Python buffer their output apart.
"""


def last_words(output: str) -> str | None:
    """Return the line of a simulation's output that gives the reason why it broke off; None if none does."""
    found = next(filter(None, (pattern.search(output) for pattern in _LAST_WORDS)), None)
    return None if found is None else found.group()


def read_log(log: Path) -> str:
    """Return what a simulation printed, fit to be shown: RTL may print any bytes. Raises OSError."""
    return printable_lines(log.read_text(encoding="utf-8", errors="replace"), LONGEST_LINE)


def log_tail(log: Path) -> str:
    """Return the last lines of what a simulation printed."""
    try:
        return "\n".join(read_log(log).splitlines()[-LOG_TAIL:])
    except OSError:
        return "(no log)"
