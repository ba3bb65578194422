"""`replay`: one bundle again."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import MODEL, RTL_SIMULATORS, SIMULATORS, WAVES, one_of
from regressions.exit_status import ExitStatus
from regressions.failure_lines import SHOWN_IN_ALL, capped, shown_path
from regressions.options import BundleArgument, JsonOption, SimulatorOption
from regressions.patience import working
from regressions.replaying import ReplayReport, replay_bundle
from regressions.rtl import kept_report
from regressions.terminal import show
from sequences.whole_file import discard_old, require_directory, write_json
from verif.simulation.sim_make import OUT, not_compared
from verif.waves.dump import WaveDump, WaveError

WavesOption = Annotated[
    str,
    typer.Option(
        help="What to dump of the RTL: the window round a failure's first divergence (into its folder), "
        "all of the run, or none.",
        metavar="window|all|none",
    ),
]
WavesFileOption = Annotated[
    Path | None,
    typer.Option(
        help="Where --waves all goes, FST (default: below out/waves).",
        metavar="FILE",
        callback=require_directory,
    ),
]


def replay(
    bundle: BundleArgument,
    sim: SimulatorOption = MODEL,
    json: JsonOption = None,
    waves: WavesOption = "window",
    waves_file: WavesFileOption = None,
) -> ExitStatus:
    """Run a bundle. A simulator is compared with the model, and everything with the bundle's expectation."""
    one_of("--sim", sim, SIMULATORS)
    one_of("--waves", waves, WAVES)
    if waves == "all" and sim == MODEL:
        raise Ga2Error(
            f"--waves all: the model has no signals; name one of {', '.join(RTL_SIMULATORS)} by --sim"
        )
    if waves_file is not None and waves != "all":
        raise Ga2Error(
            "--waves-file: only --waves all goes to a file of yours; a window goes to its failure's folder"
        )
    everything = (waves_file or _waves_file(bundle, sim)) if waves == "all" else None
    discard_old(json, everything)
    with working("replaying", sim):
        report = replay_bundle(bundle, sim, everything, window=waves != "none")
    if json is not None:
        write_json(json, report.to_json(), indent=None)
    lost = None if everything is None else _what_is_wrong(everything, sim)
    if everything is not None and lost is None:
        show(f"waves: {shown_path(everything)}")
    _show(report, sim, json or (None if sim == MODEL else kept_report(sim)))
    for line in not_compared() if sim != MODEL else ():
        show(line)
    if lost is not None and not report.mismatches:
        raise Ga2Error(lost)
    if lost is not None:
        show(f"warning: {lost}", file=sys.stderr)
    return ExitStatus.MISMATCH if report.mismatches else ExitStatus.GOOD


def _waves_file(bundle: Path, simulator: str) -> Path:
    """Return where all waves of a bundle go: no other bundle's, as many are called program-00.json."""
    digest = sha256(os.fsencode(bundle.resolve())).hexdigest()[:8]
    return OUT / "waves" / f"{simulator}-{bundle.stem}-{digest}.fst"


def _what_is_wrong(waves: Path, simulator: str) -> str | None:
    """Return why a dump cannot be used; None if it is whole."""
    if not waves.is_file():
        return f"{waves}: {simulator} has left no waves there"
    try:
        WaveDump(waves)
    except WaveError as error:
        return str(error)
    return None


def _show(report: ReplayReport, sim: str, whole: Path | None) -> None:
    """Print the report; `whole` is the file with every mismatch, if there is one."""
    end = "faulted" if report.state.fault else "halted" if report.state.halted else "did not halt"
    counters = "  ".join(f"{name} {value}" for name, value in asdict(report.state.counters).items())
    verdict = {True: "match", False: "MISMATCH", None: "nothing to compare with"}[report.match]
    where_it_ran = f"{MODEL} (--sim runs the RTL)" if sim == MODEL else sim
    show(f"{where_it_ran}: {end}  {counters}  {verdict}")
    mismatches = [f"mismatch: {mismatch}" for mismatch in report.mismatches]
    where = shown_path(whole) if whole else "the file that --json names"
    for line in [*capped(mismatches, SHOWN_IN_ALL, where), *report.explanation]:
        show(line, file=sys.stderr)
