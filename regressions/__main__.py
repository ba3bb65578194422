"""`python -m regressions`."""

from __future__ import annotations

import sys

from regressions.command_line import main

if __name__ == "__main__":
    sys.exit(main())
