"""`python -m regressions`."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper

from regressions.command_line import main

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without a character shows ? instead of failing
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # simulations are killed then, as after Ctrl-C
    sys.exit(main())
