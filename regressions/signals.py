"""Which signals end a command as Ctrl-C does: simulations are killed, and nothing half done is left."""

from __future__ import annotations

import _signal as signal  # what `signal` itself imports takes longer than all that runs before the handler
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

_INTERRUPTED = 130
"""As `ExitStatus.INTERRUPTED`, before anything else is imported."""


def end_at_once() -> None:
    """Let Ctrl-C, `kill` and a closed terminal end this process, which has not started anything yet.

    No KeyboardInterrupt: libraries that are being imported make other errors of it, or ignore it.
    """
    _take(_end)


def end_as_after_ctrl_c() -> None:
    """Let `kill` and a closed terminal interrupt the command as Ctrl-C does."""
    _take(signal.default_int_handler)


def _take(handler: Callable[[int, FrameType | None], object]) -> None:
    """Handle the signals, but those that are ignored stay so: nohup, or a background job, wants that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def _end(*_: object) -> NoReturn:
    os.write(2, b"error: interrupted\n")
    os._exit(_INTERRUPTED)
