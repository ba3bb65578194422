"""`diff`: one bundle on two simulators."""

from __future__ import annotations

from typing import Annotated

import typer

from refmodel.errors import Ga2Error
from regressions.choices import RTL_SIMULATORS, one_of
from regressions.diffing import diff_bundle
from regressions.exit_status import ExitStatus
from regressions.options import BundleArgument, JsonOption
from regressions.patience import working
from regressions.terminal import show
from sequences.whole_file import discard_old, write_json

SimsOption = Annotated[
    str, typer.Option("--sims", help="The two simulators, separated by a comma.", metavar="A,B")
]


def diff(
    bundle: BundleArgument, sims: SimsOption = "icarus,verilator", json: JsonOption = None
) -> ExitStatus:
    """Compare two simulators in every write, retire and the memory afterwards, and both with the model.

    Exit status 1 if they differ, or if they leave the model's path together.
    """
    simulators = tuple(sims.split(","))
    if len(simulators) != 2 or simulators[0] == simulators[1]:
        raise Ga2Error(f"--sims {sims}: name two of {', '.join(RTL_SIMULATORS)}, separated by a comma")
    for simulator in simulators:
        one_of("--sims", simulator, RTL_SIMULATORS)
    discard_old(json)
    with working("tracing", " and ".join(simulators)):
        difference = diff_bundle(bundle, (simulators[0], simulators[1]))
    if json is not None:
        write_json(json, difference.to_json())
    show("\n".join(difference.lines()))
    diverged = any(trace.divergence for trace in (difference.first, difference.second))
    return ExitStatus.GOOD if difference.same and not diverged else ExitStatus.MISMATCH
