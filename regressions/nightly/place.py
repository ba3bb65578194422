"""Which night is meant by its directory, its name, or `last`."""

from __future__ import annotations

from pathlib import Path

from regressions.history.database import HistoryError
from regressions.history.document import NightDocument, read_night
from regressions.nightly.calls import read_calls
from regressions.nightly.night import NIGHTS, PLAN, Night, NightError, last_night, nights_of, open_night
from regressions.nightly.report import SUMMARY
from regressions.nightly.running import jobs_left
from sequences.near_names import did_you_mean
from verif.shell_line import make_line

LAST = "last"


def find_place(night: str, list_name: str | None, nights: Path = NIGHTS) -> Path:
    """Return the directory of a night, given by itself, by its name, or as `last` (of a list, or of all).

    Raises NightError, with the nearest name, where there is none.
    """
    if night != LAST:
        if list_name is not None:
            raise NightError(f"--list chooses the last night of a list; {night} is a night already")
        return _named(night, nights)
    if list_name is not None:
        return last_night(list_name, nights)
    found = _all(nights)
    if not found:
        raise NightError(f"{nights}: there is no night yet; run one: {make_line('nightly')}")
    return max(found, key=lambda directory: max(file.stat().st_mtime for file in _files(directory)))


def is_finished(night: Night) -> bool:
    """Has every job of a run a result, and are its reports written?"""
    try:
        read_night(night.directory, NightDocument)
    except HistoryError:
        return False
    return read_calls(night.directory).finished and not jobs_left(night)


def last_unfinished(list_name: str, nights: Path = NIGHTS) -> Night:
    """Return the last run of a list that is not finished; where all are, the last. Raises NightError."""
    found = [open_night(directory) for directory in nights_of(list_name, nights)]
    return next((night for night in found if not is_finished(night)), found[0])


def _named(night: str, nights: Path) -> Path:
    for directory in (Path(night), nights / night):
        if _files(directory):
            return directory
    names = [directory.name for directory in _all(nights)]
    told = did_you_mean(Path(night).name, names)
    raise NightError(f"there is no night {night!r}: neither a directory with its files nor in {nights}{told}")


def _all(nights: Path) -> list[Path]:
    return [directory for directory in nights.glob("*") if _files(directory)]


def _files(directory: Path) -> list[Path]:
    return [path for path in (directory / PLAN, directory / SUMMARY) if path.is_file()]
