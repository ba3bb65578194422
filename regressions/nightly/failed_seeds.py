"""The jobs that ever failed: nights run them again until somebody takes them out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import FailFast, TypeAdapter

from refmodel.errors import Ga2Error
from regressions.nightly.job import NightJob
from regressions.nightly.known import unknown_in
from regressions.nightly.list_file import LISTS
from regressions.nightly.selection import SameNameError, require_names
from sequences.document import DocumentError, read_model
from sequences.whole_file import locked, write_bytes

FAILED_SEEDS = LISTS / "failed-seeds.json"
"""Where they are kept unless the user says otherwise: in the checkout, but not in git."""

TAG = "failed-before"

_DOCUMENT = TypeAdapter(Annotated[list[NightJob], FailFast()])


def failed_before(path: Path, on_dropped: Callable[[str], object] = lambda _: None) -> list[NightJob]:
    """Return the jobs that are recorded in a file; none if it is missing. Raises Ga2Error.

    Entries whose test, build, simulator or parameters no longer exist are dropped, with a line for each.
    """
    jobs, dropped = _read(path)
    for line in dropped:
        on_dropped(line)
    return jobs


def _read(path: Path) -> tuple[list[NightJob], list[str]]:
    """Return the jobs of a file, and a line for each entry that is no longer valid."""
    try:
        jobs = read_model(path, _DOCUMENT)
        require_names(jobs)
    except DocumentError as error:
        if error.is_missing:
            return [], []
        raise Ga2Error(f"{error}; correct it, or remove the file") from error
    except SameNameError as error:
        raise Ga2Error(f"{path}: {str(error).partition(';')[0]}; remove all but one") from error
    wrong = {job.name: unknown for job in jobs if (unknown := unknown_in(job))}
    return [job for job in jobs if job.name not in wrong], [
        f"{path}: entry dropped: {unknown}" for unknown in wrong.values()
    ]


def remember_failed(path: Path, failed: Iterable[NightJob]) -> int:
    """Add jobs to a file, remove invalid entries, and return how many jobs are new.

    Nights side by side do not cut each other.
    What sends the same with the same build on the same simulator is kept once, whichever night found it with
    whichever seed; of a sweep all initial states of the first night that found it. Raises Ga2Error when it
    cannot be written.
    """
    wanted = [_again(job) for job in failed]
    if not wanted and not _read(path)[1]:
        return 0
    try:
        with locked(path.with_name(f".{path.name}.lock")):
            known, dropped = _read(path)
            found = {_sent(job) for job in known}
            new = list({job.fingerprint: job for job in wanted if _sent(job) not in found}.values())
            if new or dropped:
                write_bytes(path, _DOCUMENT.dump_json([*known, *new], indent=1) + b"\n", durable=True)
            return len(new)
    except OSError as error:
        raise Ga2Error(f"{path}: cannot be written: {error.strerror}") from error


def _sent(job: NightJob) -> tuple[str, str, str]:
    """Return what is sent, and where: the same in any night."""
    return json.dumps([job.test, dict(job.parameters)], sort_keys=True), job.build, job.simulator


def _again(job: NightJob) -> NightJob:
    """Return the job as it is run again: by its seed, not by its place in one night."""
    if TAG in job.tags:
        return job
    sent, _, _ = _sent(job)
    stimulus = f"again-{job.entry}-{job.seed}-{hashlib.sha256(sent.encode()).hexdigest()[:6]}"
    is_sweep = job.build == "x-random"
    name = "-".join([stimulus, job.build, job.simulator, *([str(job.initial_seed)] if is_sweep else [])])
    return replace(job, name=name, stimulus=stimulus, tags=(*job.tags, TAG))
