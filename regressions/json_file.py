"""JSON files that are either complete or not there."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_json(path: Path, content: Mapping[str, Any], *, indent: int | None = 1) -> None:
    """Write `content` to `path` atomically: a reader, or a crash, never meets half a file."""
    write_text(path, json.dumps(content, indent=indent) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` atomically, through a temporary file beside it; OSError when that fails."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as file:
        try:
            file.write(text)
            file.close()
            # A temporary file is private; the result gets the permissions of any new file.
            mask = os.umask(0)
            os.umask(mask)
            Path(file.name).chmod(0o666 & ~mask)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
