"""The programs that speed is measured on: compiled verifier blocks, the bulk of a speculative decoding."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily
from refmodel.language.target import make_target
from refmodel.machine.bundle import Bundle
from sequences.bundle_file import save_bundle

ROWS = 4
CACHED = range(4, 25, 4)
POSITIONS = 32


def verifier_blocks() -> list[Bundle]:
    """Return blocks of 4 rows over caches of 4 to 24, of the structured target, on random inputs."""
    target = make_target("structured")
    programs, _ = ProgramFamily(target, "shape", POSITIONS).for_speculation(bigram_draft(target), ROWS - 1)
    source = np.random.default_rng(1)
    bundles = []
    for cached in CACHED:
        tokens = source.integers(len(target.embedding), size=ROWS)
        cache = source.normal(size=(2, cached, target.embedding.shape[1]))
        inputs = {"x": target.embedding[tokens], "kc": cache[0], "vc": cache[1]}
        bundles.append(programs.verifier(cached, ROWS).bundle(inputs))
    return bundles


def save_all(bundles: list[Bundle], directory: Path) -> list[Path]:
    """Write the bundles into a directory, for a simulation to load; return their paths."""
    paths = [directory / f"verifier-{number}.json" for number in range(len(bundles))]
    for path, bundle in zip(paths, bundles, strict=True):
        save_bundle(path, bundle)
    return paths
