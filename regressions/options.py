"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from regressions.history.database import HISTORY_VARIABLE
from sequences.whole_file import require_directory
from verif.simulation.tools import LARGEST_SEED


def seed_option(description: str, smallest: int = 0) -> Any:
    """Return an option for a seed, which refuses one that is out of range."""

    def check(seed: int | None) -> int | None:
        if seed is not None and not smallest <= seed <= LARGEST_SEED:
            raise typer.BadParameter(f"{seed} is out of range; give a seed from {smallest} to {LARGEST_SEED}")
        return seed

    return typer.Option(help=description, callback=check)


SimulatorOption = Annotated[
    str, typer.Option("--sim", help="Where programs run: model, icarus or verilator.", metavar="NAME")
]
TargetSeedOption = Annotated[int, seed_option("Seed of the target's weights.")]
JsonOption = Annotated[
    Path | None,
    typer.Option(
        "--json", help="Write the result to this file too.", metavar="FILE", callback=require_directory
    ),
]
HistoryOption = Annotated[
    Path,
    typer.Option(
        "--history",
        help="The database of all nights.",
        metavar="FILE",
        envvar=HISTORY_VARIABLE,
        callback=require_directory,
    ),
]
ListOption = Annotated[
    str | None, typer.Option("--list", help="Nights of this list (default: all).", metavar="LIST")
]
LastOption = Annotated[int, typer.Option("--last", help="How many of the last nights.", min=1, metavar="N")]
BundleArgument = Annotated[Path, typer.Argument(help="A bundle, format ga2-program/1.", metavar="BUNDLE")]
