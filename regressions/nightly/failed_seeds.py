"""The jobs that ever failed: nights run them again until somebody takes them out."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS
from regressions.json_file import write_bytes
from regressions.nightly.job import BUILDS, NightJob
from regressions.nightly.list_file import LISTS, known_tests

FAILED_SEEDS = LISTS / "failed-seeds.json"
"""Where they are kept unless the user says otherwise: in the checkout, but not in git."""

TAG = "failed-before"

_DOCUMENT = TypeAdapter(list[NightJob])


def failed_before(path: Path) -> list[NightJob]:
    """Return the jobs that are recorded in a file; none if there is none. Raises Ga2Error."""
    if not path.exists():
        return []
    try:
        jobs = _DOCUMENT.validate_json(path.read_bytes())
    except OSError as error:
        raise Ga2Error(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, problem["loc"]))
        raise Ga2Error(f"{path}: {place}: {problem['msg']}; correct it, or remove the file") from error
    for job in jobs:
        named = [("test", job.test, known_tests()), ("build", job.build, BUILDS)]
        for key, value, choices in [*named, ("simulator", job.simulator, RTL_SIMULATORS)]:
            if value not in choices:
                raise Ga2Error(f"{path}: {job.name}: there is no {key} {value} any more; remove the entry")
    return jobs


def remember_failed(path: Path, failed: Iterable[NightJob]) -> int:
    """Add jobs to a file, each once, and return how many are new. Nights side by side do not cut each other.

    Raises Ga2Error when it cannot be written.
    """
    wanted = [_again(job) for job in failed]
    if not wanted:
        return 0
    try:
        with path.with_name(f".{path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = failed_before(path)
            names = {job.name for job in known}
            new = list({job.name: job for job in wanted if job.name not in names}.values())
            if new:
                write_bytes(path, _DOCUMENT.dump_json([*known, *new], indent=1) + b"\n", durable=True)
            return len(new)
    except OSError as error:
        raise Ga2Error(f"{path}: cannot be written: {error.strerror}") from error


def _again(job: NightJob) -> NightJob:
    """Return the job as it is run again: by its seed, not by its place in one night."""
    if TAG in job.tags:
        return job
    sent = json.dumps([job.test, dict(job.parameters)], sort_keys=True)
    stimulus = f"again-{job.entry}-{job.seed}-{hashlib.sha256(sent.encode()).hexdigest()[:6]}"
    is_sweep = job.build == "x-random"
    name = "-".join([stimulus, job.build, job.simulator, *([str(job.initial_seed)] if is_sweep else [])])
    return replace(job, name=name, stimulus=stimulus, tags=(*job.tags, TAG))
