"""One simulation of a night."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import ConfigDict, Field, with_config

from regressions.nightly.seeds import Seed

BUILDS = ("optimized", "coverage", "x-random", "mutants")
"""The ordinary build; the one that counts code coverage too, on Verilator; the ordinary one in a sweep of
initial register values that is held against Icarus and its X; that of the RTL that holds every mutant, on
Verilator alone."""

JobName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,159}$")]
"""Files are called after jobs. The longest name that is made has 154 characters."""

Timeout = Annotated[float, Field(gt=0, le=86_400)]
"""Seconds, a day at most."""

STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
"""For what is read back from files, which somebody may have edited."""


@with_config(STRICT)
@dataclass(frozen=True)
class NightJob:
    """A UVM test with everything that decides what it does; the same job does the same on every machine."""

    name: JobName
    """Unique in the night, and good as a file's name."""
    entry: JobName
    """Of the list, from which it was made."""
    stimulus: JobName
    """What it sends; jobs of the same stimulus send the same, wherever they run."""
    test: str
    """As `Simulation.test`."""
    simulator: str
    build: str
    """One of BUILDS."""
    seed: Seed
    """Of its stimulus: what stands for `$seed` in the parameters."""
    initial_seed: Seed
    """Of the values that Verilator's registers begin with."""
    timeout: Timeout
    """Seconds of wall clock that a simulation of it may take."""
    parameters: Mapping[str, Any]
    """JSON values, as the test gets them."""
    tags: tuple[str, ...] = ()
    skip: str = ""
    """Why it does not run; empty: it does."""

    @property
    def fingerprint(self) -> str:
        """A digest of all that decides what it does: jobs with the same one do the same in any night."""
        initial_seed = self.initial_seed if self.build == "x-random" else None
        doing = [self.test, dict(self.parameters), self.simulator, self.build, initial_seed]
        return hashlib.sha256(json.dumps(doing, sort_keys=True).encode()).hexdigest()[:16]
