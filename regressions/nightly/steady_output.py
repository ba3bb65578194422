"""An output stream whose reader may go away: what is written then is lost, and nothing else is."""

from __future__ import annotations

import contextlib
import os
from typing import IO, Any


class SteadyOutput:
    """Stands for a stream such as standard output, as far as a rich console uses one."""

    def __init__(self, stream: IO[str]) -> None:
        """Write to `stream` as long as it takes anything."""
        self._stream = stream
        self.problem: OSError | None = None
        """Why it takes no more: a reader that has had enough, a full disk, a terminal that is gone."""

    def write(self, text: str) -> int:
        """Write, or do nothing; return the length."""
        if self.problem is None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._lose(error)
        return len(text)

    def flush(self) -> None:
        """Bring out what was written, if that is still of use."""
        if self.problem is None:
            try:
                self._stream.flush()
            except OSError as error:
                self._lose(error)

    def __getattr__(self, name: str) -> Any:
        """Be like the stream in all else: its encoding, say, and whether it is a terminal."""
        return getattr(self._stream, name)

    def _lose(self, error: OSError) -> None:
        self.problem = error
        with contextlib.suppress(OSError):  # what is left in its buffer must go somewhere when Python ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
