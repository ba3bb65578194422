"""Verifier blocks of just the shapes that are missing."""

from __future__ import annotations

from itertools import product
from typing import Any

from refmodel.language.target import TARGET_KINDS
from regressions.closing.aim import Attempt
from regressions.closing.job import Job
from verif.coverage.model import CoverageModel


def aim_at_language(model: CoverageModel, missing: frozenset[int], seed: int) -> Attempt:
    """Return verifier blocks of just the shapes, and draft steps, that are missing.

    What it sends hits them by its very name, so nothing is tried on the model.
    """
    families: dict[str, dict[str, Any]] = {
        target: {"target": target, "target_seed": seed, "scales": "model", "shapes": [], "draft_tokens": [0]}
        for target in TARGET_KINDS
    }
    drafts = {target: int(model["draft_target"].named(target)[0]) for target in TARGET_KINDS}
    promised = set(drafts.values()) & missing
    item = model["verifier_shape"]
    _, cached, rows = item.dimensions
    for target, c, m in product(*(dimension.bins for dimension in item.dimensions)):
        (number,) = item.named(target, c, m).tolist()
        if number in missing:
            promised.add(number)
            first = (cached.bounds[cached.index(c)][0], rows.bounds[rows.index(m)][0])
            families[target]["shapes"].append(list(first))
    wanted = [each for each in families.values() if each["shapes"] or drafts[each["target"]] in missing]
    job = Job("", "verilator", "language.LanguageTest", {"families": wanted, "seed": seed})
    return Attempt([job] if wanted else [], 0, frozenset(promised))
