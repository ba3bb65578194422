"""Reads texts that may come from anyone, without the libraries that only documents need.

Only regular files are read, and no more than their limits allow: a FIFO would keep a command waiting.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from refmodel.errors import Ga2Error

FILE_BYTES = 64_000_000
"""Size of a file, unless its reader says otherwise."""

TEXT_BYTES = 16_000_000
"""Size of a text that people write, unless its reader says otherwise."""

_CHUNK = 1 << 20

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class DocumentError(Ga2Error):
    """A file cannot be read, or does not hold what it must."""

    def __init__(
        self, path: Path, problem: str, *, line: int | None = None, is_missing: bool = False
    ) -> None:
        """Name the file, the line if it is known, and the problem."""
        super().__init__(f"{path}: {problem}" if line is None else f"{path}:{line}: {problem}")
        self.path = path
        self.problem = problem
        self.line = line
        self.is_missing = is_missing


def read_bytes(path: Path, size: int = FILE_BYTES) -> bytes:
    """Return the content of a regular file of at most `size` bytes. Raises DocumentError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            mode = os.fstat(descriptor).st_mode
            for is_kind, name in _KINDS:
                if is_kind(mode):
                    raise DocumentError(path, f"is {name}, not a regular file; give a file")
            content = bytearray()
            while len(content) <= size and (chunk := os.read(descriptor, _CHUNK)):
                content += chunk
        finally:
            os.close(descriptor)
    except ValueError as error:
        raise DocumentError(path, "is not a path; it holds a NUL character") from error
    except OSError as error:
        missing = error.errno in {errno.ENOENT, errno.ENOTDIR}
        raise DocumentError(path, f"cannot be read: {error.strerror}", is_missing=missing) from error
    if len(content) > size:
        raise DocumentError(path, f"is larger than {size:,} bytes, which is the limit; is it the right file?")
    return bytes(content)


def read_text(path: Path, size: int = TEXT_BYTES) -> str:
    """Return the text of a file: UTF-8 without a byte order mark or NUL. Raises DocumentError."""
    return decoded(path, read_bytes(path, size))


def decoded(path: Path, content: bytes) -> str:
    """Return the text of a file's content: UTF-8 without a byte order mark or NUL. Raises DocumentError."""
    if content.startswith(b"\xef\xbb\xbf"):
        raise DocumentError(path, "begins with a byte order mark (BOM); save it as UTF-8 without one", line=1)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DocumentError(path, "begins with a byte order mark (BOM) of UTF-16; save it as UTF-8", line=1)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DocumentError(path, f"is not UTF-8 (byte {error.start} of the file)", line=line) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise DocumentError(path, "holds a NUL character; is it a text?", line=line)
    return text
