"""Ctrl-C, SIGTERM and SIGHUP while a night runs: one ends it, and none cuts its reports."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self

NOTICE = "finishing the reports"
STDERR = 2


class _Phase(Enum):
    STARTING = auto()
    RUNNING = auto()
    ENDING = auto()


class Interrupts:
    """Takes the signals that would raise KeyboardInterrupt, and raises it only where that does no harm."""

    def __init__(self) -> None:
        """Make it; signals are taken from `with` on."""
        self._phase = _Phase.STARTING
        self._came = self._told = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Take the signals; one that comes before `allowed` waits until then. What is ignored stays so."""
        if threading.current_thread() is threading.main_thread():  # no other may
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is signal.default_int_handler:
                    self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let them do what they did before; in a process that ends with the night, nothing any more."""
        ends_now = signal.SIGTERM in self._before  # of all processes only a command of ours takes that
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_IGN if ends_now else handler)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Let the first raise KeyboardInterrupt here; those that come later are ignored, with one line."""
        self._phase = _Phase.RUNNING
        if self._came:
            self._phase = _Phase.ENDING
            raise KeyboardInterrupt
        try:
            yield
        finally:
            self._phase = _Phase.ENDING

    def _take(self, *_: object) -> None:
        if self._phase is _Phase.STARTING:
            self._came = True
        elif self._phase is _Phase.RUNNING:
            self._phase = _Phase.ENDING
            raise KeyboardInterrupt
        elif not self._told:
            self._told = True
            with contextlib.suppress(OSError):  # by now the terminal may be gone
                os.write(STDERR, f"{NOTICE}\n".encode())  # the stream may be in use below this handler
