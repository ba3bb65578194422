"""`python -m regressions`."""

from __future__ import annotations

import sys

from regressions.signals import end_as_after_ctrl_c, end_at_once

if __name__ == "__main__":  # a night's workers load this module too, under another name, and need no command
    end_at_once()  # the libraries take half a second to load, or minutes on a busy machine

    from io import TextIOWrapper

    from regressions.exit_status import ExitStatus
    from regressions.missing_package import told

    try:
        from regressions.command_line import command_line, main

        application = command_line()
    except ModuleNotFoundError as error:
        if not told(error):
            raise
        print(f"error: {told(error)}", file=sys.stderr)
        sys.exit(ExitStatus.BAD_INPUT)

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without a character shows ? instead of failing
    end_as_after_ctrl_c()
    sys.exit(main(application=application))
