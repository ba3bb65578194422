"""A series of programs on disk: a bundle file each, and `programs.json` with what happens around them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from refmodel.errors import Ga2Error
from sequences.bundle_file import load_bundle, save_bundle
from sequences.directed.directed_program import DirectedProgram
from sequences.stimulus import ResponseDelays, Stimulus

LIST_NAME = "programs.json"


class ProgramListError(Ga2Error):
    """A directory does not hold a series of programs."""


def save_programs(directory: Path, programs: Sequence[DirectedProgram]) -> None:
    """Write a series into a directory that exists, in the order in which it runs.

    Raises BundleError or OSError when a file cannot be written.
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
    (directory / LIST_NAME).write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def load_programs(directory: Path) -> tuple[DirectedProgram, ...]:
    """Read a series back. Raises ProgramListError or BundleError when there is none or it is damaged."""
    path = directory / LIST_NAME
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        programs = tuple(_program(directory, values) for values in listed)
    except OSError as error:
        raise ProgramListError(
            f"{path}: {error.strerror}; is {directory} the folder of a failure?"
        ) from error
    except (ValueError, KeyError, TypeError, AssertionError) as error:
        raise ProgramListError(f"{path} is damaged ({error!r}); run what failed again") from error
    if not programs:
        raise ProgramListError(f"{path} is damaged (it lists no program); run what failed again")
    return programs


def _program(directory: Path, values: dict[str, Any]) -> DirectedProgram:
    stimulus = dict(values["stimulus"])
    if stimulus["response_delays"] is not None:
        stimulus["response_delays"] = ResponseDelays(**stimulus["response_delays"])
    if stimulus["extra_start"] is not None:
        first, last = stimulus["extra_start"]
        stimulus["extra_start"] = (first, last)
    bundle = load_bundle(directory / values["bundle"])
    return DirectedProgram(values["name"], bundle, Stimulus(**stimulus), values["strays_expected"])
