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
    item = model["verifier_block"]
    for turn, (c, m) in enumerate(product(*(dimension.bins for dimension in item.dimensions))):
        shape = [int(c), int(m)]
        if item.possible[item.dimensions[0].index(c), item.dimensions[1].index(m)]:
            (number,) = item.named(c, m).tolist()
            if number in missing:
                promised.add(number)
                if not any(shape in each["shapes"] for each in families.values()):
                    families[TARGET_KINDS[turn % len(TARGET_KINDS)]]["shapes"].append(shape)
    wanted = [each for each in families.values() if each["shapes"] or drafts[each["target"]] in missing]
    job = Job("", "verilator", "language.LanguageTest", {"families": wanted, "seed": seed})
    return Attempt([job] if wanted else [], 0, frozenset(promised))
