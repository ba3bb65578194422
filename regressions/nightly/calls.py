"""The cost of all calls of `nightly` that worked on one run, and whether the last of them finished it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, with_config

from regressions.nightly.cost import NOTHING, NightCost
from regressions.nightly.job import STRICT
from sequences.document import DocumentError, read_model
from sequences.whole_file import write_bytes

CALLS = "calls.json"


@with_config(STRICT)
@dataclass(frozen=True)
class Calls:
    """All calls together; one that was killed is not counted."""

    cost: NightCost = field(default=NOTHING)
    finished: bool = True
    """Did the last one run all that it could, and report it?"""


_DOCUMENT = TypeAdapter(Calls)


def read_calls(directory: Path) -> Calls:
    """Return the calls of a run; none where the file is missing or damaged."""
    try:
        return read_model(directory / CALLS, _DOCUMENT)
    except DocumentError:
        return Calls()


def write_calls(directory: Path, calls: Calls) -> None:
    """Write them. Raises Ga2Error when that cannot be done."""
    write_bytes(directory / CALLS, _DOCUMENT.dump_json(calls, indent=1) + b"\n", durable=True)
