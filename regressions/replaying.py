"""Runs one bundle again, on the reference model or on the RTL, and the report of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from refmodel.machine.bundle import Bundle
from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from regressions.choices import MODEL
from regressions.expectation import compare
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle


@dataclass(frozen=True)
class ReplayReport:
    """What a bundle did."""

    result: RunResult
    compared: bool
    """Whether there was anything to compare with: a model beside the RTL, or an expectation."""
    mismatches: tuple[str, ...]

    @property
    def match(self) -> bool | None:
        """Whether everything that was compared agrees; None when nothing was."""
        return not self.mismatches if self.compared else None

    def to_json(self) -> dict[str, Any]:
        """Return the report as docs/bench.md describes it."""
        return {
            "halted": self.result.halted,
            "fault": self.result.fault,
            "counters": asdict(self.result.counters),
            "ext": self.result.ext.tolist(),
            "scratchpad": self.result.scratchpad.tolist(),
            "match": self.match,
            "mismatches": list(self.mismatches),
        }


def replay_bundle(path: Path, simulator: str) -> ReplayReport:
    """Run a bundle, its scratchpad preset to zeros where it gives none, and compare what can be compared.

    Raises Ga2Error for a damaged bundle and for a program that the static checker refuses.
    """
    bundle = load_bundle(path)
    require_sound(path, bundle)
    if bundle.scratchpad is None:
        bundle = replace(bundle, scratchpad=np.zeros(0, np.uint32))
    if simulator == MODEL:
        return _report(bundle, Machine().run(bundle))
    raise NotImplementedError


def _report(
    bundle: Bundle, result: RunResult, mismatches_with_model: tuple[str, ...] | None = None
) -> ReplayReport:
    against_expectation = () if bundle.expect is None else tuple(compare(bundle.expect, result))
    return ReplayReport(
        result,
        compared=bundle.expect is not None or mismatches_with_model is not None,
        mismatches=(mismatches_with_model or ()) + against_expectation,
    )
