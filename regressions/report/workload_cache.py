"""Keeps what the decodings of the report came to, for as long as nothing changes that decides it."""

from __future__ import annotations

import contextlib
import hashlib
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from pydantic import TypeAdapter

from refmodel.errors import Ga2Error
from regressions.report.workloads import Workloads, run_workloads
from sequences.document import DocumentError, read_model
from sequences.whole_file import write_bytes
from verif.simulation.plain_path import REPOSITORY

CACHE = REPOSITORY / "build" / "report"
"""Where it is kept: `make clean` removes it."""

SOURCES = (
    "refmodel",
    "sequences",
    "verif/loop_outcome.py",
    "regressions/study",
    "regressions/timeline",
    "regressions/published",
    "regressions/decoding.py",
    "regressions/closing/shape_costs.py",
    "regressions/report/workloads.py",
)
"""What decides the results, tests apart: files, and directories with all below them."""

_DOCUMENT = TypeAdapter(Workloads)


def workloads(directory: Path = CACHE) -> Workloads:
    """Return the results for the sources as they are: from the cache, or by running the model."""
    path = directory / f"workloads-{digest()}.json"
    with contextlib.suppress(DocumentError):  # not there, or damaged: it is made again
        return read_model(path, _DOCUMENT)
    found = run_workloads()
    with contextlib.suppress(OSError, Ga2Error):  # it only takes longer next time
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.glob("workloads-*.json"):
            old.unlink()
        write_bytes(path, _DOCUMENT.dump_json(found))
    return found


def digest(root: Path = REPOSITORY) -> str:
    """Return what changes whenever a source does, or the version of numpy or Python."""
    told = hashlib.sha256(f"{version('numpy')} {platform.python_version()}".encode())
    for path in _files(root):
        told.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
        told.update(path.read_bytes())
    return told.hexdigest()[:16]


def _files(root: Path) -> Iterator[Path]:
    for source in SOURCES:
        place = root / source
        found = [place] if place.is_file() else sorted(place.rglob("*"))
        for path in found:
            if path.is_file() and not {"tests", "__pycache__"} & set(path.relative_to(root).parts):
                yield path
