"""Bundles on disk: one JSON object a file, format `ga2-program/1` (docs/bench.md, "Bundles")."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import FailFast, Field, ValidationError
from pydantic_core import ErrorDetails

from refmodel.errors import Ga2Error
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.bundle import (
    DEFAULT_EXT_WORDS,
    DEFAULT_READ_LATENCY,
    Bundle,
    BundleLimitError,
    Expectation,
)
from refmodel.machine.result import Counters, WordArray
from refmodel.printable import printable
from refmodel.source_map.errors import SourceMapError
from sequences.document import DocumentError, StrictModel, counted, dotted, problems_of, read_json
from sequences.source_map_document import SourceMapDocument, source_map_to_json
from sequences.whole_file import write_text

FORMAT = "ga2-program/1"

CODE_DIGITS = 32
"""Hexadecimal digits of an instruction word."""

# Lists of words fail at their first wrong word: a message about each of a million takes a gigabyte.
InstructionWord = Annotated[str, Field(pattern=rf"^[0-9a-fA-F]{{{CODE_DIGITS}}}$")]
Word = Annotated[int, Field(ge=0, le=0xFFFF_FFFF)]
Words = Annotated[list[Word], FailFast()]
ScratchpadImage = Annotated[list[Word], Field(max_length=SCRATCHPAD_WORDS)]


class BundleError(Ga2Error):
    """A bundle file cannot be read."""

    def __init__(self, path: Path, problem: str) -> None:
        """Name the file and say what is wrong with it."""
        super().__init__(f"bundle {path}: {problem}")
        self.path = path


class CountersDocument(StrictModel):
    """The key `counters` of an expectation."""

    cyc_total: Word
    cyc_mm: Word
    cyc_dma: Word
    cyc_vec: Word
    n_inst: Word


class ExpectationDocument(StrictModel):
    """The key `expect` of a bundle."""

    halted: bool
    fault: bool
    counters: CountersDocument
    ext: Words
    scratchpad: ScratchpadImage


class BundleDocument(StrictModel):
    """A bundle file as JSON; fields as in `refmodel.machine.bundle.Bundle`."""

    format: Literal["ga2-program/1"]
    code: Annotated[list[InstructionWord], FailFast()]
    ext: Words
    ext_words: int = DEFAULT_EXT_WORDS
    read_latency: int = DEFAULT_READ_LATENCY
    scratchpad: ScratchpadImage | None = None
    expect: ExpectationDocument | None = None
    note: str = ""
    source_map: SourceMapDocument | None = None


def load_bundle(path: Path) -> Bundle:
    """Read a bundle file.

    Raises BundleError, naming the file and the place in it, when the file cannot be read, is not JSON, or is
    not a bundle that the bench could run.
    """
    try:
        document = BundleDocument.model_validate(read_json(path))
        return _to_bundle(document)
    except DocumentError as error:
        raise BundleError(
            path, f"{error.problem}; check the path" if error.is_missing else error.problem
        ) from error
    except ValidationError as error:
        raise BundleError(path, _describe(error)) from error
    except BundleLimitError as error:
        raise BundleError(path, str(error)) from error
    except SourceMapError as error:
        raise BundleError(path, f"source_map: {error}; correct the map or remove the key") from error


def save_bundle(path: Path, bundle: Bundle) -> None:
    """Write a bundle file in one step, so that an interrupted run leaves the old file or none.

    Raises Ga2Error when the file cannot be written.
    """
    lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in _to_json(bundle).items())
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _words(values: list[int]) -> WordArray:
    return np.array(values, dtype=np.uint32)


def _to_bundle(document: BundleDocument) -> Bundle:
    expect = document.expect
    bundle = Bundle(
        code=tuple(int(digits, 16) for digits in document.code),
        ext=_words(document.ext),
        ext_words=document.ext_words,
        read_latency=document.read_latency,
        scratchpad=None if document.scratchpad is None else _words(document.scratchpad),
        expect=None if expect is None else _to_expectation(expect),
        note=document.note,
        make_source_map=None if document.source_map is None else document.source_map.to_source_map,
    )
    if expect is not None and len(expect.ext) > document.ext_words:
        raise BundleLimitError(f"expect.ext has {len(expect.ext)} words, legal is 0..{document.ext_words}")
    _ = bundle.source_map  # made now, so that a bad one is refused with its file
    return bundle


def _to_expectation(document: ExpectationDocument) -> Expectation:
    return Expectation(
        halted=document.halted,
        fault=document.fault,
        counters=Counters(**document.counters.model_dump()),
        ext=_words(document.ext),
        scratchpad=_words(document.scratchpad),
    )


def _to_json(bundle: Bundle) -> dict[str, Any]:
    """Return the bundle as JSON values; optional keys only where they say something."""
    values: dict[str, Any] = {
        "format": FORMAT,
        "code": [f"{word:0{CODE_DIGITS}x}" for word in bundle.code],
        "ext": bundle.ext.tolist(),
        "ext_words": bundle.ext_words,
        "read_latency": bundle.read_latency,
    }
    if bundle.scratchpad is not None:
        values["scratchpad"] = bundle.scratchpad.tolist()
    if bundle.expect is not None:
        values["expect"] = {
            "halted": bundle.expect.halted,
            "fault": bundle.expect.fault,
            "counters": vars(bundle.expect.counters),
            "ext": bundle.expect.ext.tolist(),
            "scratchpad": bundle.expect.scratchpad.tolist(),
        }
    if bundle.note:
        values["note"] = bundle.note
    if bundle.source_map is not None:
        values["source_map"] = source_map_to_json(bundle.source_map)
    return values


def _describe(error: ValidationError) -> str:
    """Return the first problem of a document in a sentence, and how many there are."""
    problems = problems_of(error)
    return _describe_one(problems[0]) + counted(problems)


def _describe_one(problem: ErrorDetails) -> str:
    place = dotted(problem["loc"])
    found = printable(repr(problem["input"]), 60)
    match problem["type"]:
        case "missing":
            return f"key {place} is missing; add it"
        case "extra_forbidden":
            return f"key {place} is unknown; correct or remove it"
        case "string_pattern_mismatch":
            return f"{place} is {found}, expected {CODE_DIGITS} hexadecimal digits"
        case "literal_error":
            return f"{place} is {found}, expected {problem['ctx']['expected']}"
        case "too_long":
            return f"{place} is too long: {problem['msg']}"
        case "too_many":
            return problem["msg"]
        case _ if not place:
            return f"the file holds {found}, expected one JSON object with the keys of a bundle"
        case _:
            return f"{place} is {found}: {problem['msg']}"
