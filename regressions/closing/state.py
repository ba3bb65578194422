"""The directory that a campaign can go on from: whose it is, and that nobody else is at work there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from refmodel.errors import Ga2Error
from regressions.closing.provenance import Provenance
from sequences.document import DocumentError, read_model
from sequences.whole_file import locked, write_json
from verif.failure.provenance import clean_commit
from verif.sources import changed_sources

OWNER = "campaign.json"

BEGIN_ANEW = "without --resume the campaign begins anew"


class StateError(Ga2Error):
    """A directory that this campaign cannot go on from."""


@contextmanager
def held(directory: Path) -> Iterator[None]:
    """Keep other processes out of the directory. Raises StateError where one is at work already."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(directory.with_name(f".{directory.name}.lock"), wait=False))
        except BlockingIOError as error:
            raise StateError(
                f"{directory}: another closure is at work there; wait until it has ended"
            ) from error
        yield


def begin(directory: Path, now: Provenance) -> None:
    """Empty the directory and note whose it is. Raises Ga2Error where that cannot be."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True, exist_ok=True)
    write_json(directory / OWNER, asdict(now))


def resume(directory: Path, now: Provenance) -> None:
    """Go on in it, or begin where nothing has begun.

    Raises StateError for one of another seed, commit, tools, definitions or sources, and for a damaged one.
    """
    owner = directory / OWNER
    if not directory.exists():
        begin(directory, now)
        return
    try:
        then = read_model(owner, Provenance)
    except DocumentError as error:
        raise StateError(f"{owner}: is missing or damaged; {BEGIN_ANEW}") from error
    for what, before, here in (
        ("seed", then.seed, now.seed),
        ("commit", clean_commit(then.commit), clean_commit(now.commit)),
        ("coverage definitions", then.definitions, now.definitions),
        ("tools", then.tools, now.tools),
    ):
        if before != here:
            raise StateError(f"{directory}: was begun with {what} {before}, now it is {here}; {BEGIN_ANEW}")
    changed = changed_sources(then.sources, now.sources)
    if changed:
        raise StateError(
            f"{directory}: was begun with other sources; changed since: {changed}; restore them; {BEGIN_ANEW}"
        )
