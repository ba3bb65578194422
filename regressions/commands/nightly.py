"""`nightly`: a list of tests, every result accounted for."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import shown_path
from regressions.history.database import HISTORY, prepare_history
from regressions.history.document import NightDocument, read_night
from regressions.nightly.failed_seeds import FAILED_SEEDS, failed_before
from regressions.nightly.farm import Farm, load_farm, require_walltime
from regressions.nightly.job import NightJob
from regressions.nightly.list_file import find_list, load_list
from regressions.nightly.night import (
    Night,
    begin_night,
    open_night,
    plan_now,
    require_same_chip,
)
from regressions.nightly.place import LAST, find_place, is_finished, last_unfinished
from regressions.nightly.running import jobs_left, workers_of_use
from regressions.nightly.seeds import random_base_seed
from regressions.nightly.selection import jobs_of, require_names, selected
from regressions.nightly.text import job_lines
from regressions.options import HistoryOption, seed_option
from regressions.terminal import Terminal
from sequences.whole_file import require_directory
from verif.simulation.time_limit import FACTOR_VARIABLE, require_factor, time_limit

LOCAL, SLURM = ENGINES = ("local", "slurm")

_NO_MUTANTS = "RTL= names your own RTL, but the project's is what is broken here"


def nightly(
    list_name: Annotated[
        str, typer.Argument(help="smoke, nightly, weekly, closure, or a .toml file.", metavar="LIST")
    ] = "nightly",
    show: Annotated[bool, typer.Option("--list", help="Only show what would run.")] = False,
    only: Annotated[
        str, typer.Option("--only", "-k", help="The job of this name, or all with this in it; * is any.")
    ] = "",
    tag: Annotated[str, typer.Option(help="Jobs with this tag.")] = "",
    sim: Annotated[str, typer.Option(help="Jobs on this simulator.", metavar="NAME")] = "",
    seed: Annotated[int | None, seed_option("The night's seed (default: random).", smallest=1)] = None,
    resume: Annotated[
        str | None,
        typer.Option(help="Go on with a night: its name or directory, or `last` of LIST.", metavar="NIGHT"),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Simulations side by side (default: all cores).", min=1)
    ] = None,
    timeout_factor: Annotated[
        float | None, typer.Option(help="Multiply all time limits, on a slow machine.", metavar="NUMBER")
    ] = None,
    engine: Annotated[str, typer.Option(help="Who runs them: local or slurm.", metavar="NAME")] = LOCAL,
    farm_file: Annotated[
        Path | None, typer.Option("--farm", help="What to ask of Slurm, a .toml file.", metavar="FILE")
    ] = None,
    failed_seeds: Annotated[
        Path | None,
        typer.Option(
            help="Where failed jobs are remembered (default: failed-seeds.json beside the lists).",
            metavar="FILE",
            callback=require_directory,
        ),
    ] = None,
    history: HistoryOption = HISTORY,
) -> ExitStatus:
    """Run a list of tests; all that comes of it goes to a directory of its own below out/nightly.

    Status 1 if anything failed, is missing or compared nothing; 130 after Ctrl-C, when --resume goes on.
    """
    # they bring dask along, which takes a second
    from regressions.nightly.session import build_for, run_session
    from regressions.nightly.slurm_cluster import require_farm
    from regressions.nightly.slurm_engine import SlurmEngine

    console = Terminal()
    if timeout_factor is not None:
        os.environ[FACTOR_VARIABLE] = str(require_factor(timeout_factor))
    time_limit(1)  # a factor of the environment is checked before anything is begun
    if resume is not None and (show or only or tag or sim or seed is not None):
        raise Ga2Error(
            "--resume goes on with a night as it was planned: no --list, --only, --tag, --sim or --seed"
        )
    farm = _farm(engine, farm_file, jobs)
    if farm is not None and not show:
        require_farm(farm)
    if resume is not None:  # empty, as a script's unset variable gives it, is no other night
        night = last_unfinished(list_name) if resume == LAST else open_night(find_place(resume, None))
        if is_finished(night):
            return _nothing_left(night, console)
        _require_to_go_on(night, farm)
        remembering = failed_seeds or Path(night.plan.failed_seeds or FAILED_SEEDS)
        require_directory(remembering)
        failed_before(remembering, partial(_warn, console))
        for damage in filter(None, map(night.damage, jobs_left(night))):
            _warn(console, f"{damage}; its job runs again")
        prepare_history(history)
        build_for(jobs_left(night), console)
    else:
        base_seed = random_base_seed() if seed is None else seed
        remembering = failed_seeds or FAILED_SEEDS
        listed = _jobs_listed(list_name, base_seed, remembering, console)
        chosen = tuple(selected(listed, only, tag, sim))
        if show:
            for line in job_lines(chosen):
                console.print(line, soft_wrap=True)
            console.print(f"{len(chosen)} jobs, seed {base_seed}")
            return ExitStatus.GOOD
        if farm is not None:
            require_walltime(farm, chosen)
        prepare_history(history)
        build_for(chosen, console)
        asked = {"only": only, "tag": tag, "sim": sim}
        filters = ", ".join(f"{name} {value}" for name, value in asked.items() if value)
        part = filters if len(chosen) < len(listed) else ""
        given = str(failed_seeds.absolute()) if failed_seeds else ""
        night = begin_night(plan_now(list_name, base_seed, chosen, part, len(listed), given))
    wanted = (jobs or os.cpu_count() or 1) if farm is None else farm.workers
    workers = min(wanted, workers_of_use(night))
    if farm is None:
        status = run_session(night, workers, remembering, history, console)
    else:
        make_engine = partial(SlurmEngine, farm, night.directory / "workers")
        status = run_session(
            night, workers, remembering, history, console, make_engine=make_engine, elsewhere=True
        )
    console.print(_write_pages(night, history), soft_wrap=True)
    return status


def _warn(console: Terminal, line: str) -> None:
    console.print(f"warning: {line}", soft_wrap=True)


def _jobs_listed(list_name: str, base_seed: int, failed_seeds: Path, console: Terminal) -> list[NightJob]:
    """Return all jobs of a list, what failed before among them if it wants that. Raises Ga2Error."""
    listed = load_list(find_list(list_name))
    jobs = jobs_of(listed.test, base_seed)
    if os.environ.get("RTL"):
        jobs = [replace(job, skip=job.skip or _NO_MUTANTS) if job.build == "mutants" else job for job in jobs]
    # read in any case: a night that cannot add to the file would end in vain
    remembered = failed_before(failed_seeds, partial(_warn, console))
    if listed.failed_seeds:
        jobs += remembered
    require_names(jobs)
    return jobs


def _require_to_go_on(night: Night, farm: Farm | None) -> None:
    """Raise Ga2Error unless a night can go on here."""
    require_same_chip(night)
    if farm is not None:
        require_walltime(farm, night.plan.jobs)


def _nothing_left(night: Night, console: Terminal) -> ExitStatus:
    """Say that a run is finished, change nothing, and return its verdict."""
    summary = read_night(night.directory, NightDocument)
    message = f"nothing is left to run: {night.directory.name} is finished. {summary.verdict}"
    console.print(message, soft_wrap=True)
    return ExitStatus.GOOD if summary.good else ExitStatus.MISMATCH


def _write_pages(night: Night, history: Path) -> str:
    """Write the pages for people and say where they are, or why there are none.

    The night's verdict and its other reports are there already; whatever is wrong here must not cost them.
    """
    from regressions.report.writing import write_report  # it loads matplotlib

    try:
        return f"report: {shown_path(write_report(night.directory, history))}"
    except Exception as error:
        told = str(error) if isinstance(error, Ga2Error) else f"{type(error).__name__}: {error}"
        return f"report: it could not be written: {told}"


def _farm(engine: str, file: Path | None, jobs: int | None) -> Farm | None:
    """Return what the user asks of a farm, None for this machine. Raises Ga2Error."""
    is_slurm = one_of("--engine", engine, ENGINES) == SLURM
    if is_slurm != (file is not None):
        raise Ga2Error("--engine slurm and --farm FILE belong together; docs/farm.toml is an example")
    if file is None:
        return None
    if jobs is not None:
        raise Ga2Error(f"--jobs is for --engine local; {file} says how many workers there are")
    return load_farm(file)
