"""Keeps the programs of a decoding on disk, so that any one of them can be replayed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from refmodel.speculative.step import Step
from sequences.bundle_file import save_bundle


@dataclass
class BundleSaver:
    """Writes one bundle a step into `directory`, numbered in the order of the steps; None keeps nothing."""

    directory: Path | None
    decoding: str
    """First part of every file name: which decoding the steps belong to."""
    _numbers: count[int] = field(default_factory=count, init=False)

    def save(self, step: Step) -> None:
        """Write the bundle of a step; BundleError when that fails."""
        if self.directory is None:
            return
        name = f"{self.decoding}-{next(self._numbers):03}-{step.kind}"
        note = f"{name}: {step.rows} rows over {step.context} cached"
        save_bundle(self.directory / f"{name}.json", replace(step.bundle(), note=note))
