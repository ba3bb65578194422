"""`replay`: one bundle again."""

from __future__ import annotations

import sys
from dataclasses import asdict

from regressions.choices import MODEL, SIMULATORS, one_of
from regressions.exit_status import ExitStatus
from regressions.json_file import write_json
from regressions.options import BundleArgument, JsonOption, SimulatorOption
from regressions.replaying import ReplayReport, replay_bundle

SHOWN_MISMATCHES = 20


def replay(bundle: BundleArgument, sim: SimulatorOption = MODEL, json: JsonOption = None) -> ExitStatus:
    """Run a bundle. A simulator is compared with the model, and everything with the bundle's expectation."""
    report = replay_bundle(bundle, one_of("--sim", sim, SIMULATORS))
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
