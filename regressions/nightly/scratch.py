"""The directory in which local workers live: locked by its owner, so that all can tell when he is gone."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

PREFIX, LOCK = "ga2-workers-", "lock"


class Scratch:
    """A directory of this process alone; those of processes that were killed are removed as it is made.

    A lock tells who lives, since a process's number may belong to another one by now, and the system gives it
    up for its owner however that ends.
    """

    def __init__(self) -> None:
        """Make it. Raises OSError when there is no room for it."""
        parent = Path(tempfile.gettempdir())
        for path in parent.glob(f"{PREFIX}*"):
            _remove_if_left(path)
        self._held: int | None = None
        while self._held is None:  # another process that begins may take it for one that was left
            self.directory = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))
            self._held = _locked(self.directory, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Give the lock up and remove the directory."""
        if self._held is not None:
            os.close(self._held)
            self._held = None
        shutil.rmtree(self.directory, ignore_errors=True)


def _remove_if_left(path: Path) -> None:
    try:
        if path.is_symlink() or not path.is_dir() or path.stat().st_uid != os.getuid():
            return
    except OSError:
        return  # another process has just removed it
    held = _locked(path, fcntl.LOCK_EX | fcntl.LOCK_NB)
    if held is not None:
        shutil.rmtree(path, ignore_errors=True)
        os.close(held)


def _locked(directory: Path, how: int) -> int | None:
    """Return the open lock of a directory; None if somebody else has it, or the directory is gone."""
    try:
        held = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError:
        if how & fcntl.LOCK_NB or not directory.is_dir():
            return None
        raise
    try:
        fcntl.flock(held, how)
        if (directory / LOCK).stat().st_ino == os.fstat(held).st_ino:
            return held
    except OSError:
        pass
    os.close(held)
    return None
