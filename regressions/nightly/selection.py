"""From a list and a base seed to the jobs of a night, and those of them that the user asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.nightly.job import NightJob
from regressions.nightly.seeds import derived_seed, with_seed
from regressions.nightly.test_list import ListedTest


class NothingSelectedError(Ga2Error):
    """Filters that leave no job."""


class SameNameError(Ga2Error):
    """Two jobs that nobody could tell apart."""


def jobs_of(tests: Sequence[ListedTest], base_seed: int) -> list[NightJob]:
    """Return all jobs of a list's tests, in its order."""
    return [job for listed in tests for job in _jobs(listed, base_seed)]


def require_names(jobs: Sequence[NightJob]) -> None:
    """Refuse two jobs of one name, whose results would be one. Raises SameNameError."""
    for name, number in Counter(job.name for job in jobs).items():
        if number > 1:
            raise SameNameError(
                f"{number} jobs would be called {name}; give every seed and simulator once, or rename a test"
            )


def selected(jobs: Sequence[NightJob], only: str = "", tag: str = "", simulator: str = "") -> list[NightJob]:
    """Return the jobs with `only` in their name (`*` stands for anything), that tag and that simulator.

    A whole name chooses that job alone, whatever else it is a part of.
    Raises UnknownNameError for a tag or simulator that there is not, NothingSelectedError if none is left.
    """
    if tag:
        one_of("--tag", tag, sorted({each for job in jobs for each in job.tags}))
    if simulator:
        one_of("--sim", simulator, RTL_SIMULATORS)
    name = only if any(job.name == only for job in jobs) else f"*{only}*"
    left = [
        job
        for job in jobs
        if fnmatchcase(job.name, name) and (not tag or tag in job.tags) and simulator in ("", job.simulator)
    ]
    if not left:
        asked = {"--only": only, "--tag": tag, "--sim": simulator}
        filters = " ".join(f"{option} {value}" for option, value in asked.items() if value)
        raise NothingSelectedError(f"{filters}: matches none of {len(jobs)} jobs; --list shows them")
    return left


def stimulus_names(listed: ListedTest) -> list[str]:
    """Return what the stimuli of a test are called, in whichever night."""
    return [name for name, _ in _stimuli(listed, 1)]


def _jobs(listed: ListedTest, base_seed: int) -> Iterator[NightJob]:
    for stimulus, seed in _stimuli(listed, base_seed):
        for suffix, simulator, initial_seed in _runs(listed, stimulus, seed):
            yield NightJob(
                f"{stimulus}-{suffix}",
                listed.name,
                stimulus,
                listed.test,
                simulator,
                listed.build,
                seed,
                initial_seed,
                listed.timeout,
                with_seed(listed.parameters, seed),
                tuple(listed.tags),
                listed.skip,
            )


def _stimuli(listed: ListedTest, base_seed: int) -> Iterator[tuple[str, int]]:
    """Yield the name and the seed of everything that a test sends."""
    for seed in listed.seeds:
        yield f"{listed.name}-seed-{seed}", seed
    for number in range(0 if listed.seeds else listed.reseed):
        name = f"{listed.name}-{number:03d}"
        yield name, derived_seed(base_seed, name)


def _runs(listed: ListedTest, stimulus: str, seed: int) -> Iterator[tuple[str, str, int]]:
    """Yield the last part of the name, the simulator and the initial seed of every run of a stimulus."""
    if listed.build != "x-random":
        for simulator in listed.simulators:
            yield simulator, simulator, seed
        return
    yield "icarus", "icarus", seed
    for number in range(listed.initial_states):
        suffix = f"verilator-x{number}"
        yield suffix, "verilator", derived_seed(seed, f"{stimulus}-{suffix}")
