"""The sources that decide what simulations send and expect, and proof that a result belongs to them.

Digests decide, of whatever is on the disk: in git or not, committed or not.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from verif.simulation.chip import Chip
from verif.simulation.file_list import SOURCE_SUFFIXES, Entry
from verif.simulation.plain_path import REPOSITORY

AREAS = {
    "hdl/rtl": "rtl",
    "hdl/tb": "harness",
    "sim.mk": "harness",
    "refmodel": "model",
    "sequences": "sequences",
    "verif": "bench",
}
"""Where the sources are, and what they make up; RTL from elsewhere is `rtl` too."""

_RTL = next(iter(AREAS))

_VERILOG = (*SOURCE_SUFFIXES, ".f", ".hex", ".inc", ".mem")

SUFFIXES = (".c", ".json", ".py", ".toml", ".vlt", *_VERILOG)

_OTHER_FOLDERS = ("tests", "__pycache__")
"""Python tests decide nothing about a simulation."""

_INCLUDED = re.compile(r'(?:`include\s*|\$readmem[hb]\s*\(\s*)"([^"\n]+)"')

NAMES_SHOWN = 5

_LONGEST_NAME = 120


class SourcesError(Ga2Error):
    """Nothing was concluded, because the sources are not those that a result must belong to."""


NAMED = "named: "
"""How the name of a file begins that a job's parameters name."""


def named_digests(paths: Iterable[str]) -> dict[str, str]:
    """Return digests of files that parameters name, such as weights; they go with those of the sources."""
    return {f"{NAMED}{path}": _digest_of(REPOSITORY / path) for path in sorted(set(paths))}


def named_files(value: object) -> Iterator[str]:
    """Yield every text in JSON values that is the path of a file."""
    if isinstance(value, str):
        with contextlib.suppress(OSError, ValueError):  # too long for a path, or with a NUL
            if value and (REPOSITORY / value).is_file():
                yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from named_files(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from named_files(each)


def source_digests(chip: Mapping[str, str] = os.environ, repository: Path = REPOSITORY) -> dict[str, str]:
    """Return a digest of every source by its path, which begins at the repository where it is inside.

    `chip` holds the variables of sim.mk that choose the RTL: those of the environment, if not given. Takes
    some 8 ms for the project. There is no cache: a time stamp may be too coarse to show a change, and on a
    shared file system only an opened file has today's.
    """
    own = _own_entries(chip)
    places = [place for place in AREAS if place != _RTL or not chip.get("RTL")]
    paths = [path for place in places for path in _files_below(repository / place)]
    named = [*_own_files(own, repository), *(repository / name for name in chip.get("MIRRORS", "").split())]
    inside = f"{repository}/"
    digests = {path.removeprefix(inside): _digest_of(Path(path)) for path in [*paths, *map(str, named)]}
    settings = {name: chip.get(name, "") for name in ("SCRATCHPAD", "SCRATCHPAD_WRITE", "SCRATCHPAD_READ")}
    settings["options in RTL"] = " ".join(f"{entry.option}{entry.value}" for entry in own if entry.option)
    digests |= {name: _digest(value.encode()) for name, value in settings.items() if value}
    return {name: digest for name, digest in sorted(digests.items()) if digest}


def changed_sources(before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Return which sources differ, by area, for a message; empty if none does."""
    areas: dict[str, list[str]] = {}
    for name in sorted(before.keys() | now.keys()):
        if before.get(name) != now.get(name):
            areas.setdefault(_area(name), []).append(printable(name, _LONGEST_NAME))
    return ", ".join(f"{area} ({_listed(areas[area])})" for area in _all_areas() if area in areas)


def area_digests(sources: Mapping[str, str]) -> dict[str, str]:
    """Return one short digest for each area: the same for the same files with the same content."""
    lines: dict[str, list[str]] = {area: [] for area in _all_areas()}
    for name, digest in sorted(sources.items()):
        lines[_area(name)].append(f"{name} {digest}")
    return {area: _digest("\n".join(each).encode())[:8] for area, each in lines.items()}


def require_sources(before: Mapping[str, str], chip: Mapping[str, str] = os.environ) -> None:
    """Raise SourcesError, with the names of what changed, unless the sources are as they were `before`."""
    named = [name.removeprefix(NAMED) for name in before if name.startswith(NAMED)]
    changed = changed_sources(before, source_digests(chip) | named_digests(named))
    if changed:
        raise SourcesError(f"sources changed during the run: {changed}; restore them or run it again")


@contextmanager
def unchanged_sources(before: Mapping[str, str], chip: Mapping[str, str] = os.environ) -> Iterator[None]:
    """Prove that what happens inside comes from these sources: they are the same before and afterwards.

    Raises SourcesError otherwise, in the place of any other exception: a syntax error that was saved
    meanwhile is not a failure.
    """
    require_sources(before, chip)
    try:
        yield
    except Exception:
        require_sources(before, chip)
        raise
    require_sources(before, chip)


def _all_areas() -> list[str]:
    return list(dict.fromkeys(AREAS.values()))


def _area(name: str) -> str:
    if name.startswith(NAMED):
        return "sequences"
    return next(
        (area for place, area in AREAS.items() if name == place or name.startswith(f"{place}/")), "rtl"
    )


def _files_below(place: Path) -> Iterator[str]:
    if place.is_file():
        yield str(place)
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if name not in _OTHER_FOLDERS]
        yield from (f"{folder}/{name}" for name in files if name.endswith(SUFFIXES))


def _own_entries(chip: Mapping[str, str]) -> Sequence[Entry]:
    """Return what RTL= names, file lists expanded; nothing where it is invalid, as no simulation takes it."""
    try:
        return Chip.from_variables(chip).sources if chip.get("RTL") else ()
    except Ga2Error:
        return ()


def _own_files(entries: Sequence[Entry], repository: Path) -> set[Path]:
    """Return the files among these entries, all Verilog beside them, and what that includes or reads."""
    files = {repository / entry.value for entry in entries if entry.is_path and entry.exists}
    folders = {repository / entry.value for entry in entries if entry.option in ("+incdir+", "-y")}
    folders |= {path.parent for path in files}
    beside = {path for folder in folders for path in folder.glob("*") if path.name.endswith(_VERILOG)}
    found: set[Path] = set()
    waiting = files | beside
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.add(path)
            waiting |= {
                place / name for name in _included(path) for place in (path.parent, repository, *folders)
            }
    return found


def _included(path: Path) -> list[str]:
    """Return what a source includes or reads into a memory."""
    try:
        return _INCLUDED.findall(path.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return []


def _digest_of(path: Path) -> str:
    """Return a file's digest; nothing for what is not a file, or is gone, as while an editor saves it."""
    try:
        return _digest(path.read_bytes()) if path.is_file() else ""
    except OSError:
        return ""


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _listed(names: list[str]) -> str:
    rest = len(names) - NAMES_SHOWN
    return ", ".join(names[:NAMES_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
