"""`python -m regressions`."""

from __future__ import annotations

import signal
import sys

from regressions.command_line import main

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # simulations are killed then, as after Ctrl-C
    sys.exit(main())
