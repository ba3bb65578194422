"""The golden bundles: thirteen programs whose final state an independent implementation computed.

They are the files of `sequences/golden`; each has an `expect` that the model and every simulator must meet
exactly, starting from a scratchpad of zeros.
"""

from __future__ import annotations

from pathlib import Path

from refmodel.machine.bundle import Bundle
from sequences.bundle_file import load_bundle

GOLDEN_DIRECTORY = Path(__file__).parent / "golden"


def golden_names(directory: Path = GOLDEN_DIRECTORY) -> tuple[str, ...]:
    """Return the names of the golden bundles, sorted; a name is its file's without `.json`."""
    return tuple(sorted(path.stem for path in directory.glob("*.json")))


def load_golden(name: str, directory: Path = GOLDEN_DIRECTORY) -> Bundle:
    """Return a golden bundle by name. Raises BundleError if there is none or it is damaged."""
    return load_bundle(directory / f"{name}.json")
