"""What the published figures would be after an intended change of the model, for review."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Any

from refmodel.machine.machine import Machine
from refmodel.published import FIGURES_FILE, figures
from refmodel.published.decoder import PublishedDecoder
from refmodel.published.measured import measured_figures
from regressions.final_state import FinalState
from sequences.golden import GOLDEN_DIRECTORY, golden_names, load_golden
from verif.simulation.plain_path import REPOSITORY


def proposed_patch(on_progress: Callable[[], object] = lambda: None) -> str:
    """Return a patch of `figures.json` with the values of the reference model; empty if nothing differs."""
    shape, model = PublishedDecoder("shape"), PublishedDecoder("model")
    name = FIGURES_FILE.relative_to(REPOSITORY).as_posix()
    before, after = _lines(figures()), _lines(measured_figures(shape, model, on_progress))
    return "".join(unified_diff(before, after, f"a/{name}", f"b/{name}"))


def outside_differences(directory: Path = GOLDEN_DIRECTORY) -> list[str]:
    """Return one line for each golden bundle that the reference model does not end as expected.

    An implementation outside the project computed what they expect, so nothing here proposes other values.
    """
    lines = []
    for name in golden_names(directory):
        bundle = load_golden(name, directory)
        assert bundle.expect is not None, "every golden bundle has an expectation"
        found = list(FinalState.of(Machine().run(bundle)).differences(bundle.expect))
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            lines.append(f"{directory.name}/{name}.json: {found[0]}{more}")
    return lines


def _lines(content: Mapping[str, Any]) -> list[str]:
    return (json.dumps(content, indent=1) + "\n").splitlines(keepends=True)
