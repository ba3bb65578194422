"""Scale planning in `model` mode: one scale for each role of a tensor, the same in every program of a target.

Then the integers of verifier row i over c cached rows equal those of the plain step with context c + i + 1,
bit for bit: rows of a product are independent, a requantizer depends on scales alone, row i's softmax and
weighted sum see the same prefix in the same order, and re-quantizing a dequantized key or value at its own
scale changes nothing. So speculative tokens equal plain tokens for every target, draft, k, start and
length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from refmodel.language.calibration import Calibration, calibrate_on_sequences, largest
from refmodel.language.draft import DraftModel
from refmodel.language.float_model import FloatLayer
from refmodel.language.rollout import Rollout, greedy_rollout
from refmodel.language.shape_scales import draft_calibration
from refmodel.language.target import MAX_CONTEXT, TargetModel

EXTRA_STEPS = 8
"""How many steps the measured runs exceed the wanted length by."""

DEFAULT_STEPS = 64
"""Length of the measured runs when no length is wanted."""

_MEASURED_ROLES = ("q", "k", "v", "attn", "wo", "h", "relu", "ffn", "y", "logits")


def role_ranges(target: TargetModel, layers: Sequence[FloatLayer]) -> dict[str, float]:
    """Return the range of every role over these evaluations of the float target.

    x is the largest |E|. h and y are widened to their operands, so that an add plans alike wherever it
    stands.
    """
    ranges = {role: largest(*(getattr(layer, role) for layer in layers)) for role in _MEASURED_ROLES}
    ranges["x"] = target.embedding_range
    ranges["h"] = max(ranges["h"], ranges["x"], ranges["wo"])
    ranges["y"] = max(ranges["y"], ranges["h"], ranges["ffn"])
    return ranges


class ModelScales:
    """Calibrations of all programs of one target under its role ranges.

    Samples decide nothing here, since every group's range is fixed; they only let the compiler note
    saturated scores.
    """

    def __init__(self, target: TargetModel, positions: int | None = None) -> None:
        """Measure runs of `positions` tokens and some more; nothing is computed before it is asked for."""
        self._target = target
        self._steps = DEFAULT_STEPS if positions is None else positions + EXTRA_STEPS

    @cached_property
    def _rollout(self) -> Rollout:
        return greedy_rollout(self._target, max(self._steps, MAX_CONTEXT))

    @cached_property
    def _ranges(self) -> dict[str, float]:
        return role_ranges(self._target, self._rollout.layers[: self._steps])

    def plain(self, context: int) -> Calibration:
        """Return greedy samples of this context under the role ranges."""
        return self.verifier(context - 1, 1)

    def verifier(self, cached: int, rows: int) -> Calibration:
        """Return greedy samples of this shape under the role ranges."""
        sequences = self._rollout.tokens[:, : cached + rows]
        return Calibration(calibrate_on_sequences(self._target, sequences, cached).samples, self._ranges)


def every_token_draft_calibration(draft: DraftModel) -> Calibration:
    """Calibrate a draft on all embeddings."""
    return draft_calibration(draft, range(len(draft.embedding)))
