"""Writes files that are either complete or not there."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import json
import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error

READER_SECONDS = 10.0
"""For which a writer waits until a process opens a FIFO for reading."""

_MOST_LINKS = 40
"""As the kernel follows at most."""


def write_json(path: Path, content: Mapping[str, Any] | list[Any], *, indent: int | None = 1) -> None:
    """Write JSON values to `path` as `write_bytes` does; what readers refuse is replaced."""
    text = json.dumps(content, indent=indent, ensure_ascii=False) + "\n"
    write_bytes(path, plain_json(text.encode(errors="replace")))


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, as `write_bytes` does; lone surrogates become escapes."""
    write_bytes(path, text.encode(errors="backslashreplace"))


def write_bytes(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write `content` to `path` in one step: readers see the old file or the new one. Raises Ga2Error.

    A link is followed and stays; the file that it leads to is replaced. Devices, FIFOs and descriptors such
    as /dev/stdout are written into. With `durable` the content is on the disk when this returns.
    """
    try:
        target = _followed(path)
        if _is_written_into(target):
            _write_into(target, content)
        else:
            _replace(target, content, durable)
    except OSError as error:
        raise Ga2Error(f"{path}: cannot be written: {error.strerror}") from error


def plain_json(text: bytes) -> bytes:
    """Return a JSON text with the replacement character for NUL, which a simulator may print."""
    return text.replace(b"\\u0000", b"\\ufffd")


def discard_old(*paths: Path | None) -> None:
    """Remove results of an earlier run, so that they are not taken for those of a run that does not end.

    Raises Ga2Error when that fails.
    """
    for path in paths:
        try:
            if path is not None and not _is_written_into(target := _followed(path)):
                target.unlink(missing_ok=True)
        except OSError as error:
            raise Ga2Error(f"{path}: cannot be replaced: {error.strerror}") from error


def require_directory(path: Path | None) -> Path | None:
    """Return `path` if a file can be made there, so that a long run does not end in vain; else Ga2Error."""
    if path is not None and path.name in {"", ".."}:
        raise Ga2Error(f"{str(path)!r} is not the name of a file; give one")
    if path is not None and not path.parent.is_dir():
        raise Ga2Error(f"{path}: there is no directory {path.parent}; make it first")
    return path


def require_no_links(directory: Path) -> None:
    """Raise Ga2Error if there is a link anywhere below a directory that may come from a stranger.

    What is unpacked belongs to its user, links too, and what is written later would go where they lead.
    """
    for folder, folders, files in os.walk(directory):
        for name in (*folders, *files):
            if (path := Path(folder, name)).is_symlink():
                raise Ga2Error(f"{path}: is a link, which nothing here makes; remove it")


@contextlib.contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold an exclusive lock on a file of its own, which stays; links are not followed.

    Raises BlockingIOError if another process holds it and `wait` is false, OSError if it cannot be made.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o666)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    finally:
        os.close(descriptor)


def temporary_beside(path: Path) -> Path:
    """Return a path beside `path` that no other process uses, for what is renamed to `path` when complete.

    What killed processes left under such names in the same directory is removed.
    """
    _remove_stale(path.parent)
    return path.parent / f"{_prefix()}{os.getpid()}-{secrets.token_hex(4)}.tmp"


def _replace(path: Path, content: bytes, durable: bool) -> None:
    if not path.name or path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    temporary = temporary_beside(path)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(temporary, flags, 0o666), "wb") as file:  # noqa: PTH123 (a descriptor)
            with contextlib.suppress(OSError):  # where there is none yet, the umask decides
                os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):  # where it could not be made it need not be removed
            temporary.unlink(missing_ok=True)


def _followed(path: Path) -> Path:
    """Return where a link leads, short of the descriptors in /proc. Raises OSError for others' links."""
    for _ in range(_MOST_LINKS):
        if not path.is_symlink() or _is_descriptor(path):
            return path
        if path.lstat().st_uid not in {os.geteuid(), 0}:
            raise PermissionError(errno.EACCES, "it is a link of another user")
        path = path.parent.resolve() / path.readlink()
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _is_written_into(path: Path) -> bool:
    return _is_descriptor(path) or (path.exists() and not path.is_file() and not path.is_dir())


def _is_descriptor(path: Path) -> bool:
    return path.parent.resolve().is_relative_to("/proc")


def _write_into(path: Path, content: bytes) -> None:
    """Append to what cannot be replaced. A FIFO that no process reads is an error after READER_SECONDS."""
    end = time.monotonic() + READER_SECONDS
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
            break
        except OSError as error:
            if error.errno != errno.ENXIO or not path.is_fifo():
                raise
            if time.monotonic() > end:
                raise OSError(errno.ENXIO, "no process reads this FIFO") from error
            time.sleep(0.05)
    with open(descriptor, "wb") as file:  # noqa: PTH123 (a descriptor)
        os.set_blocking(descriptor, True)
        file.write(content)


def _prefix() -> str:
    """Return how the temporary files of this machine's processes begin, of this container's if it is one."""
    return f".ga2-{platform.node()}-{Path('/proc/self/ns/pid').stat().st_ino}-"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another user
        return True
    return True


@functools.lru_cache(maxsize=1024)
def _remove_stale(directory: Path) -> None:
    """Remove what killed processes of this machine left; once for each directory, as it may be large."""
    named = re.compile(re.escape(_prefix()) + r"(\d{1,9})-[0-9a-f]{8}\.tmp")
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            found = named.fullmatch(entry.name)
            if found is None or _is_running(int(found[1])):
                continue
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)  # noqa: PTH108
