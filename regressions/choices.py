"""Names that the user picks from a few."""

from __future__ import annotations

from collections.abc import Sequence

from refmodel.errors import Ga2Error
from sequences.near_names import did_you_mean
from verif.simulation.chip import SIMULATORS as SIMULATORS_OF_RTL

MODEL = "model"
RTL_SIMULATORS = SIMULATORS_OF_RTL
SIMULATORS = (MODEL, *RTL_SIMULATORS)
"""Where a program can run: the reference model, or the RTL in a simulator."""

WAVES = ("window", "all", "none")
"""What is dumped: the window round a failure's first divergence, every signal of the whole run, nothing."""


class UnknownNameError(Ga2Error):
    """The user named something that does not exist."""


def one_of(option: str, name: str, choices: Sequence[str]) -> str:
    """Return `name` if it is one of the choices; else UnknownNameError with all of them and the nearest."""
    if name in choices:
        return name
    raise UnknownNameError(
        f"{option}: unknown name {name!r}; there are {', '.join(choices)}{did_you_mean(name, choices)}"
    )
