"""Which signals end a command as Ctrl-C does: simulations are killed, and nothing half done is left."""

from __future__ import annotations

import signal


def end_as_after_ctrl_c() -> None:
    """Let `kill` and a terminal that is closed interrupt the command; what nohup ignores stays ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
