"""Puts a site in its place, all of it or nothing: made beside it, and renamed when it is whole."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from refmodel.errors import Ga2Error

MARK = "ga2-night-report"
"""A file that every site has: a directory with it may be replaced."""


class SiteError(Ga2Error):
    """A site cannot be written there."""


def require_place(out: Path) -> None:
    """Raise SiteError unless a site can go there: nothing, an empty directory, or another such site."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise SiteError(f"{out}: is no directory; name another one with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise SiteError(f"{out}: holds something else than a report, which would be lost; name another --out")
    if not out.parent.is_dir():
        raise SiteError(f"{out}: there is no directory {out.parent}; make it first")


@contextmanager
def new_site(out: Path) -> Iterator[Path]:
    """Yield an empty directory beside `out`, which takes its place if the body ends.

    Whatever happens, nothing half-written is left. Raises SiteError where it cannot be written.
    """
    require_place(out)
    out = out.resolve()  # `.` has no name
    try:
        with TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent, ignore_cleanup_errors=True) as beside:
            new, old = Path(beside, "new"), Path(beside, "old")
            new.mkdir()
            yield new
            (new / MARK).touch()
            with _alone(out.parent):
                _put(new, out, old)
    except OSError as error:
        raise SiteError(f"{out}: cannot be written: {error.strerror}") from error


def _put(new: Path, out: Path, old: Path) -> None:
    """Let a directory take the place of `out`, which becomes `old`; whatever happens, one of them stays."""
    try:
        if out.exists():
            out.rename(old)
        new.rename(out)
    finally:
        if old.exists() and not out.exists():
            old.rename(out)


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keep others that do the same out of a directory meanwhile: of two reports at once the later stays."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
