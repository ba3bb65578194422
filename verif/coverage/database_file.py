"""Coverage databases on disk: one JSON object a file, format `ga2-coverage/1` (docs/coverage.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, FailFast, Field, Strict

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from sequences.document import DocumentError, Limits, StrictModel, read_model
from sequences.whole_file import write_text
from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.errors import CoverageError, StaleCoverageError
from verif.coverage.model import CoverageModel
from verif.coverage.run_identity import RunIdentity

FORMAT = "ga2-coverage/1"

LARGEST_COUNT = 1 << 48
"""More than any run can count, so that the sums of many runs fit into 64 bits."""

Count = Annotated[int, Field(ge=0, le=LARGEST_COUNT)]

Name = Annotated[str, Field(min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""Without control characters, which neither a terminal nor XML takes."""

HitRow = Annotated[tuple[Count, Annotated[Count, Field(ge=1)], Count], Strict(False)]
"""A bin's number within its item, how often it was hit, and the first program's place in `programs`."""


LIMITS = Limits(size=256_000_000, values=16_000_000, members=500_000)
"""A database of many runs is the largest document that there is: a row of three values for every bin hit."""

Document = TypeVar("Document", bound=BaseModel)


class HitsDocument(StrictModel):
    """What one run hit: the file that a simulation leaves behind, too."""

    counted: Count
    """Programs that were counted."""
    programs: Annotated[list[str], FailFast()]
    """Names of programs that hit something first."""
    hits: dict[str, Annotated[list[HitRow], FailFast()]]
    """By item."""


class RunDocument(StrictModel):
    """One run that passed."""

    test: Name
    seed: int
    simulator: Name
    build: str
    result: HitsDocument


class FailedDocument(StrictModel):
    """One run that failed."""

    test: Name
    seed: int
    simulator: Name
    build: str
    reason: Name


class DatabaseDocument(StrictModel):
    """A whole file."""

    format: Literal["ga2-coverage/1"]
    definitions: str
    runs: Annotated[list[RunDocument], FailFast()]
    failed: Annotated[list[FailedDocument], FailFast()]


def load_database(path: Path, model: CoverageModel) -> CoverageDatabase:
    """Read a database. Raises CoverageError for a damaged file and for one of other definitions."""
    document = _read(path, DatabaseDocument)
    if document.definitions != model.fingerprint:
        raise StaleCoverageError(
            f"{path}: was collected under other definitions ({document.definitions}, now "
            f"{model.fingerprint}); remove it and collect it again"
        )
    passed: dict[RunIdentity, RunHits] = {}
    for run in document.runs:
        identity = _identity(run)
        if identity in passed:
            raise CoverageError(f"{path}: {printable(identity, 200)} is there twice; is the file damaged?")
        try:
            passed[identity] = hits_from_document(run.result, model)
        except CoverageError as error:
            raise CoverageError(f"{path}: {printable(identity, 200)}: {error}") from error
    failed = {_identity(run): run.reason for run in document.failed}
    return CoverageDatabase(document.definitions, passed, failed)


def save_database(path: Path, database: CoverageDatabase, model: CoverageModel) -> None:
    """Write a database in one step, its directory too. Raises CoverageError."""
    _write(path, database_text(database, model))


def database_text(database: CoverageDatabase, model: CoverageModel) -> str:
    """Return the content of a database's file; equal databases give equal ones."""
    content = {
        "format": FORMAT,
        "definitions": database.definitions,
        "runs": [
            {**vars(run), "result": hits_to_json(database.passed[run], model)}
            for run in sorted(database.passed)
        ],
        "failed": [{**vars(run), "reason": database.failed[run]} for run in sorted(database.failed)],
    }
    return _text(content)


def load_hits(path: Path, model: CoverageModel) -> RunHits:
    """Read what a simulation left behind. Raises CoverageError."""
    return hits_from_document(_read(path, HitsDocument), model)


def save_hits(path: Path, hits: RunHits, model: CoverageModel) -> None:
    """Write what a simulation hit. Raises CoverageError."""
    _write(path, _text(hits_to_json(hits, model)))


def hits_to_json(hits: RunHits, model: CoverageModel) -> dict[str, Any]:
    """Return the hits of a run as JSON values."""
    programs: dict[str, int] = {}
    rows: dict[str, list[list[int]]] = {}
    numbers = sorted(hits.bins)
    items = iter(model)
    item = next(items)
    for number in numbers:
        while number >= item.first + item.size:
            item = next(items)
        each = hits.bins[number]
        program = programs.setdefault(each.program, len(programs))
        rows.setdefault(item.name, []).append([number - item.first, each.count, program])
    return {"counted": hits.programs, "programs": list(programs), "hits": rows}


def hits_from_document(document: HitsDocument, model: CoverageModel) -> RunHits:
    """Return the hits of a run. Raises CoverageError for items and bins that the model does not have."""
    bins: dict[int, BinHits] = {}
    for name, rows in document.hits.items():
        try:
            item = model[name]
        except KeyError:
            raise CoverageError(f"there is no item {printable(name, 60)}; is the file damaged?") from None
        possible = set(item.bin_numbers())
        for number, count, program in rows:
            if number not in possible or program >= len(document.programs):
                raise CoverageError(
                    f"{name}: there is no bin {number} or no program {program}; is it damaged?"
                )
            if item.first + number in bins:
                raise CoverageError(f"{name}: bin {number} is there twice; is the file damaged?")
            bins[item.first + number] = BinHits(count, document.programs[program])
    return RunHits(document.counted, bins)


def _identity(run: RunDocument | FailedDocument) -> RunIdentity:
    return RunIdentity(run.test, run.seed, run.simulator, run.build)


def _read(path: Path, kind: type[Document]) -> Document:
    try:
        return read_model(path, kind, LIMITS)
    except DocumentError as error:
        if error.is_missing:
            raise CoverageError(f"{error}; check the path") from error
        problem = f"is not a coverage database: {error.problem}; remove it or collect it again"
        raise CoverageError(f"{path}: {problem}") from error


def _text(content: Mapping[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":")) + "\n"


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
    except OSError as error:
        raise CoverageError(f"{path}: cannot be written: {error.strerror}") from error
    except Ga2Error as error:
        raise CoverageError(str(error)) from error
