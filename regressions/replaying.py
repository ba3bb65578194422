"""Runs one bundle again, on the reference model or on the RTL, and the report of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from refmodel.machine.machine import Machine
from regressions.choices import MODEL
from regressions.final_state import FinalState
from regressions.rtl import run_test
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle
from verif.failure.investigation import explanation_lines


@dataclass(frozen=True)
class ReplayReport:
    """What a bundle did."""

    state: FinalState
    compared: bool
    """Whether there was anything to compare with: the model beside the RTL, or an expectation."""
    mismatches: tuple[str, ...]
    explanation: tuple[str, ...] = ()
    """Lines about the first divergence, and how to see it again."""

    @property
    def match(self) -> bool | None:
        """Whether everything that was compared agrees; None when nothing was."""
        return not self.mismatches if self.compared else None

    def to_json(self) -> dict[str, Any]:
        """Return the report as docs/bench.md describes it."""
        return self.state.to_json() | {"match": self.match, "mismatches": list(self.mismatches)}


def replay_bundle(
    path: Path, simulator: str, waves: Path | None = None, *, window: bool = True
) -> ReplayReport:
    """Run a bundle, its scratchpad preset to zeros where it gives none, and compare what can be compared.

    On the RTL all signals are dumped to the file `waves`, if one is given, and with `window` a failure leaves
    those round its first divergence.

    Raises Ga2Error for a damaged bundle and for a program that the static checker refuses, RtlFailure when
    the RTL does not get to the end.
    """
    bundle = load_bundle(path)
    require_sound(path, bundle)
    if simulator == MODEL:
        scratchpad = np.zeros(0, np.uint32) if bundle.scratchpad is None else bundle.scratchpad
        state = FinalState.of(Machine().run(replace(bundle, scratchpad=scratchpad)))
        differences = [] if bundle.expect is None else state.differences(bundle.expect)
        return ReplayReport(state, bundle.expect is not None, tuple(differences))
    name = str(path.resolve())
    report = run_test(simulator, "replay.ReplayTest", {"bundles": [name]}, waves=waves, window=window)
    state = FinalState.from_json(report.payload["results"][name])
    return ReplayReport(
        state,
        compared=True,
        mismatches=tuple(map(str, report.mismatches)),
        explanation=tuple(explanation_lines(report)),
    )
