"""`replay`: one bundle again."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import MODEL, RTL_SIMULATORS, SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import SHOWN_IN_ALL, capped, shown_path
from regressions.json_file import discard_old, require_directory, write_json
from regressions.options import BundleArgument, JsonOption, SimulatorOption
from regressions.patience import working
from regressions.replaying import ReplayReport, replay_bundle
from regressions.rtl import kept_report

WavesOption = Annotated[
    Path | None,
    typer.Option(
        help="Dump every signal of the RTL to this file (FST).", metavar="FILE", callback=require_directory
    ),
]


def replay(
    bundle: BundleArgument, sim: SimulatorOption = MODEL, json: JsonOption = None, waves: WavesOption = None
) -> ExitStatus:
    """Run a bundle. A simulator is compared with the model, and everything with the bundle's expectation."""
    one_of("--sim", sim, SIMULATORS)
    if waves is not None and sim == MODEL:
        raise Ga2Error(f"--waves: the model has no signals; name one of {', '.join(RTL_SIMULATORS)} by --sim")
    discard_old(json)
    with working("replaying", sim):
        report = replay_bundle(bundle, sim, waves)
    if json is not None:
        write_json(json, report.to_json(), indent=None)
    _show(report, json or (None if sim == MODEL else kept_report(sim)))
    return ExitStatus.MISMATCH if report.mismatches else ExitStatus.GOOD


def _show(report: ReplayReport, whole: Path | None) -> None:
    """Print the report; `whole` is the file with every mismatch, if there is one."""
    end = "faulted" if report.state.fault else "halted" if report.state.halted else "did not halt"
    counters = "  ".join(f"{name} {value}" for name, value in asdict(report.state.counters).items())
    verdict = {True: "match", False: "MISMATCH", None: "nothing to compare with"}[report.match]
    print(f"{end}  {counters}  {verdict}")
    mismatches = [f"mismatch: {mismatch}" for mismatch in report.mismatches]
    where = shown_path(whole) if whole else "the file that --json names"
    for line in [*capped(mismatches, SHOWN_IN_ALL, where), *report.explanation]:
        print(line, file=sys.stderr)
