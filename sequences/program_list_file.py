"""A series of programs on disk: a bundle file each, and `programs.json` with what happens around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from pydantic import FailFast, Field, TypeAdapter

from refmodel.errors import Ga2Error
from sequences.bundle_file import load_bundle, save_bundle
from sequences.directed.directed_program import DirectedProgram
from sequences.document import DocumentError, StrictModel, read_model
from sequences.stimulus import Stimulus
from sequences.whole_file import write_json

LIST_NAME = "programs.json"


class _ListedProgram(StrictModel):
    name: str
    bundle: str = Field(pattern=r"^[\w-][\w.-]*$", max_length=100)
    """The name of a file beside the list."""
    stimulus: Stimulus
    strays_expected: bool


_PROGRAMS = TypeAdapter(Annotated[list[_ListedProgram], Field(min_length=1), FailFast()])


class ProgramListError(Ga2Error):
    """A directory does not hold a series of programs."""


def save_programs(directory: Path, programs: Sequence[DirectedProgram]) -> None:
    """Write a series into a directory that exists, in the order in which it runs.

    Raises Ga2Error when a file cannot be written.
    """
    listed = []
    for number, program in enumerate(programs):
        file = f"program-{number:02}.json"
        save_bundle(directory / file, program.bundle)
        listed.append(
            {
                "name": program.name,
                "bundle": file,
                "stimulus": asdict(program.stimulus),
                "strays_expected": program.strays_expected,
            }
        )
    write_json(directory / LIST_NAME, listed)


def load_programs(directory: Path) -> tuple[DirectedProgram, ...]:
    """Read a series back. Raises ProgramListError or BundleError when there is none or it is damaged."""
    path = directory / LIST_NAME
    try:
        listed = read_model(path, _PROGRAMS)
    except DocumentError as error:
        if error.is_missing:
            raise ProgramListError(f"{error}; is {directory} the folder of a failure?") from error
        raise ProgramListError(f"{path} is damaged ({error.problem}); run what failed again") from error
    return tuple(
        DirectedProgram(each.name, load_bundle(directory / each.bundle), each.stimulus, each.strays_expected)
        for each in listed
    )
