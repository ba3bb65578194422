"""Paths that every tool takes: one with a blank, a letter beyond ASCII or a sign of the shell goes by a link.

Verilator's makefiles, Icarus's command files and the linker split such paths or expand what is in them. All
these tools run in the repository's root, so a path from there is free of what stands above it.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from sequences.whole_file import temporary_beside

REPOSITORY = Path(__file__).resolve().parents[2]

LINKS = Path("build") / "links"

_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*", re.ASCII)


def plain_path(path: str | Path) -> str:
    """Return a path to the same from the repository's root, only of letters, digits, `_`, `.`, `-`, `/`."""
    if _PLAIN.fullmatch(str(path)):
        return str(path)
    whole = REPOSITORY / path
    within = whole.relative_to(REPOSITORY) if whole.is_relative_to(REPOSITORY) else whole
    if _PLAIN.fullmatch(str(within)):
        return str(within)
    if _PLAIN.fullmatch(whole.name) and not whole.is_dir():
        return f"{link_to(whole.parent)}/{whole.name}"  # beside it may lie what it includes
    return str(link_to(whole))


def link_to(target: Path) -> Path:
    """Return the path, from the repository's root, of a link that is made if need be.

    Others may make the same at the same time.
    """
    suffix = target.suffix if _PLAIN.fullmatch(target.suffix) else ""
    link = LINKS / (hashlib.sha256(os.fsencode(target)).hexdigest()[:12] + suffix)
    place = REPOSITORY / link
    if not place.is_symlink():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = temporary_beside(place)
        made.symlink_to(target)
        made.replace(place)
    return link


def with_real_paths(text: str) -> str:
    """Return a tool's output with the links in it replaced by what they stand for."""
    for link in (REPOSITORY / LINKS).glob("[0-9a-f]*"):
        text = text.replace(str(LINKS / link.name), str(link.readlink()))
    return text
