"""What the command line tells its caller."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """The exit status of every command."""

    GOOD = 0
    MISMATCH = 1
    """Something was compared and differs, or a simulation hung."""
    BAD_INPUT = 2
    """Nothing was concluded: an argument, a file or a tool is not as it must be."""
    OTHER_SOURCES = 3
    """Nothing was concluded: the sources are not those of the failure, or changed during the run."""
    INTERRUPTED = 130
    """The user pressed Ctrl-C."""
