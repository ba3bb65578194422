"""The serving arithmetic: what speculation is worth where a block costs no more than a plain step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refmodel.speculative.cost_model import serving_speedup

ACCEPTANCES = (0.5, 0.6, 0.7, 0.8, 0.9)
SERVED_KS = tuple(range(1, 11))

USUAL_DRAFT_COST = 0.05
"""A draft step in plain steps of the target, as a small draft model has it."""


@dataclass(frozen=True)
class ServingStudy:
    """Speedup E / (1 + k·c) of every acceptance and k at one draft cost c."""

    draft_cost: float

    def speedup(self, acceptance: float, k: int) -> float:
        """Return the speedup over plain decoding."""
        return serving_speedup(acceptance, k, self.draft_cost)

    def best_k(self, acceptance: float) -> int:
        """Return the k of the largest speedup, the smallest of equals."""
        return max(SERVED_KS, key=lambda k: self.speedup(acceptance, k))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "draft_cost": self.draft_cost,
            "rows": [
                {
                    "acceptance": acceptance,
                    "best_k": self.best_k(acceptance),
                    "speedups": {str(k): self.speedup(acceptance, k) for k in SERVED_KS},
                }
                for acceptance in ACCEPTANCES
            ],
        }
