"""`python -m regressions`."""

from __future__ import annotations

import sys
from io import TextIOWrapper

from regressions.command_line import main
from regressions.signals import end_as_after_ctrl_c

if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without a character shows ? instead of failing
    end_as_after_ctrl_c()
    sys.exit(main())
