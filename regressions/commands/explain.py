"""`explain`: what each instruction of a bundle reads and changes."""

from __future__ import annotations

from typing import Annotated

import typer

from regressions.exit_status import ExitStatus
from regressions.explaining import explain_bundle
from regressions.options import BundleArgument, JsonOption
from regressions.terminal import show
from sequences.whole_file import discard_old, write_json

PcOption = Annotated[int | None, typer.Option("--pc", help="Tell this instruction only.", metavar="N")]


def explain(bundle: BundleArgument, pc: PcOption = None, json: JsonOption = None) -> ExitStatus:
    """Step the model through a bundle: what each instruction reads and changes, and when.

    Words are shown signed, the first eight of a vector; the JSON file has them all, unsigned.
    """
    discard_old(json)
    explanation = explain_bundle(bundle, pc)
    if json is not None:
        write_json(json, explanation.to_json())
    show("\n".join(explanation.lines()))
    return ExitStatus.GOOD
