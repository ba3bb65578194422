"""JSON and other files that are either complete or not there."""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error


def write_json(path: Path, content: Mapping[str, Any], *, indent: int | None = 1) -> None:
    """Write `content` to `path` atomically: a reader, or a crash, never meets half a file."""
    write_text(path, json.dumps(content, indent=indent) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write `content` to `path` atomically, through a temporary file beside it; Ga2Error when that fails.

    With `durable` it is on the disk when this returns. A device or a pipe, such as /dev/stdout, is written to
    instead of being replaced.
    """
    if _is_device(path):
        _write_into(path, content)
        return
    unfinished = path.with_name(f".{path.name}.{platform.node()}.{os.getpid()}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        raise Ga2Error(f"{path}: cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):  # where it could not be made it need not be removed
            unfinished.unlink(missing_ok=True)


def _is_device(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def _write_into(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Ga2Error(f"{path}: cannot be written: {error.strerror}") from error


def discard_old(*paths: Path | None) -> None:
    """Remove results of an earlier run, which nobody must take for those of a run that does not end."""
    for path in paths:
        try:
            if path is not None and not _is_device(path):
                path.unlink(missing_ok=True)
        except OSError as error:
            raise Ga2Error(f"{path}: cannot be replaced: {error.strerror}") from error


def require_directory(path: Path | None) -> Path | None:
    """Return `path` if a file can be made there, so that a long run does not end in vain; else Ga2Error."""
    if path is not None and not path.name:
        raise Ga2Error(f"{str(path)!r} names no file; give one")
    if path is not None and not path.parent.is_dir():
        raise Ga2Error(f"{path}: there is no directory {path.parent}; make it first")
    return path
