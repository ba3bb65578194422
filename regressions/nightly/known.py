"""What jobs may name: tests, builds and simulators that there are, and parameters that their test takes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from regressions.choices import RTL_SIMULATORS
from regressions.nightly.job import BUILDS, NightJob
from regressions.testplan.project_tests import uvm_tests
from verif.simulation.plain_path import REPOSITORY
from verif.uvm_tests.parameters import ParameterError, check_parameters


@cache
def known_tests() -> tuple[str, ...]:
    """Return the UVM tests that there are, as `decode.DecodeTest`."""
    files = (each.partition("::") for each in uvm_tests(REPOSITORY))
    return tuple(f"{Path(file).stem}.{name}" for file, _, name in files)


def unknown_in(job: NightJob) -> str:
    """Return what a job names that does not exist, in a sentence; empty if everything does."""
    named = [("test", job.test, known_tests()), ("build", job.build, BUILDS)]
    for key, value, choices in [*named, ("simulator", job.simulator, RTL_SIMULATORS)]:
        if value not in choices:
            return f"{job.name}: there is no {key} {value!r}"
    try:
        check_parameters(job.test, job.parameters)
    except ParameterError as error:
        return f"{job.name}: {error}"
    return ""
