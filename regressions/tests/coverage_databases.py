"""Small coverage databases, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verif.coverage.database import BinHits, CoverageDatabase, RunHits
from verif.coverage.model import load_model
from verif.coverage.run_identity import RunIdentity

Bin = tuple[str, ...]
"""Item and its bin's name in each dimension."""


def run(test: str, seed: int = 1, simulator: str = "icarus") -> RunIdentity:
    """Return a run of one build."""
    return RunIdentity(test, seed, simulator, "0a1b2c")


def database(
    hits: Mapping[RunIdentity, Sequence[Bin]], failed: Sequence[RunIdentity] = ()
) -> CoverageDatabase:
    """Return what runs of one program each hit, each bin twice."""
    model = load_model()
    passed = {
        one: RunHits(1, {number_of(*each): BinHits(2, f"program of {one.test}") for each in bins})
        for one, bins in hits.items()
    }
    return CoverageDatabase(model.fingerprint, passed, dict.fromkeys(failed, "its test failed"))


def number_of(item: str, *names: str) -> int:
    """Return the number of a bin in the model."""
    return int(load_model()[item].named(*names)[0])


RELU = ("fused_relu", "a fused relu")
NO_RELU = ("fused_relu", "no relu")
IDLE = ("start_honoured", "idle")
HALTED = ("start_honoured", "halted")
