"""The published figures: what the reference model, Icarus and Verilator must all reproduce exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FIGURES_FILE = Path(__file__).with_name("figures.json")


def figures() -> dict[str, Any]:
    """Return a fresh copy of `figures.json`: integers are exact, speedups are rounded to two digits.

    Keys: `runs` (the published table), `verifier`, `verifier_cycles_m4`, `draft_cycles`, `plain_cycles`,
    `plain_words_loaded`, `causality`, `sweep`, `cost_model`, `random_seed1_k3_chip_blocks`, `model_scales`,
    and the `tokens`, `start` and `draft_seed` that all runs share.
    """
    loaded: dict[str, Any] = json.loads(FIGURES_FILE.read_text(encoding="utf-8"))
    return loaded
