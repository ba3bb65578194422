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
from regressions.json_file import require_directory, write_json
from regressions.options import BundleArgument, JsonOption, SimulatorOption
from regressions.patience import working
from regressions.replaying import ReplayReport, replay_bundle

SHOWN_MISMATCHES = 20


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
    with working("replaying", sim):
        report = replay_bundle(bundle, sim, waves)
    if json is not None:
        write_json(json, report.to_json(), indent=None)
    _show(report)
    return ExitStatus.MISMATCH if report.mismatches else ExitStatus.GOOD


def _show(report: ReplayReport) -> None:
    end = "faulted" if report.state.fault else "halted" if report.state.halted else "did not halt"
    counters = "  ".join(f"{name} {value}" for name, value in asdict(report.state.counters).items())
    verdict = {True: "match", False: "MISMATCH", None: "nothing to compare with"}[report.match]
    print(f"{end}  {counters}  {verdict}")
    for mismatch in report.mismatches[:SHOWN_MISMATCHES]:
        print(f"mismatch: {mismatch}", file=sys.stderr)
    if len(report.mismatches) > SHOWN_MISMATCHES:
        print(f"… and {len(report.mismatches) - SHOWN_MISMATCHES} more", file=sys.stderr)
