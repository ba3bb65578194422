"""Which kinds of picture there are, known without the library that draws them."""

from __future__ import annotations

from pathlib import Path

from refmodel.errors import Ga2Error
from sequences.whole_file import require_directory

PICTURE_FORMATS = ("png", "svg", "pdf")


def picture_format(path: Path) -> str:
    """Return the format that the suffix of a file names; Ga2Error if it is none of `PICTURE_FORMATS`."""
    name = path.suffix.removeprefix(".").lower()
    if name not in PICTURE_FORMATS:
        raise Ga2Error(
            f"{path}: no picture has the suffix {path.suffix!r}; there are "
            + ", ".join(f".{each}" for each in PICTURE_FORMATS)
        )
    return name


def require_picture_path(path: Path | None) -> Path | None:
    """Return `path` if a picture can be made there, going by its name and directory; else Ga2Error."""
    if path is not None:
        picture_format(path)
    return require_directory(path)
