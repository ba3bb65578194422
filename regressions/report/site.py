"""Puts a site in its place, all of it or nothing: made beside it, and renamed when it is whole."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    unfinished, old = (
        out.with_name(f".{out.name}.{platform.node()}.{os.getpid()}.{name}") for name in ("new", "old")
    )
    try:
        unfinished.mkdir()
        yield unfinished
        (unfinished / MARK).touch()
        if out.exists():
            out.rename(old)
        unfinished.rename(out)
    except OSError as error:
        if old.exists() and not out.exists():
            old.rename(out)
        raise SiteError(f"{out}: cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
