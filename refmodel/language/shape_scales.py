"""Scale planning in `shape` mode, the published one: every program shape is calibrated on what it sees.

A shape that the calibration runs never met is calibrated on the float target's plain greedy sequences
instead. Since each shape plans its own scales, the same row is rounded differently by a plain step and by a
verifier block, so that speculative tokens may differ from plain ones; `model_scales` is the mode in which
they cannot.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from refmodel.language.calibration import Calibration, Sample, calibrate_on_sequences, largest, sample
from refmodel.language.draft import DraftModel
from refmodel.language.float_host_loop import FloatHostLoop, float_host_loop
from refmodel.language.layer_graph import INPUT
from refmodel.language.rollout import Rollout, greedy_rollout
from refmodel.language.target import MAX_CONTEXT, TargetModel


class GreedySequences:
    """What calibrates shapes that no run met: greedy tokens from each start, in the cache and the block."""

    def __init__(self, target: TargetModel) -> None:
        """Take the target, of which one greedy run from each start serves all shapes."""
        self._target = target

    @cached_property
    def _tokens(self) -> NDArray[np.int64]:
        return greedy_rollout(self._target, MAX_CONTEXT - 1).tokens

    def verifier(self, cached: int, rows: int) -> Calibration:
        """Return the calibration of a block of `rows` tokens over `cached` rows, at most 64 together."""
        return calibrate_on_sequences(self._target, self._tokens[:, : cached + rows], cached)


class PlainShapeScales:
    """Calibrations of plain steps on the float target's greedy runs of `positions` steps from all starts."""

    def __init__(self, target: TargetModel, positions: int) -> None:
        """Take contexts 1..positions as those to be met; nothing is computed before it is asked for."""
        self._target = target
        self._unmet = GreedySequences(target)
        self._positions = positions

    @cached_property
    def _rollout(self) -> Rollout:
        return greedy_rollout(self._target, self._positions)

    @cached_property
    def _ranges(self) -> dict[str, float]:
        x = largest(*(layer.x for layer in self._rollout.layers))
        return {"x": x, "k": largest(self._rollout.keys), "v": largest(self._rollout.values)}

    def plain(self, context: int) -> Calibration:
        """Return the inputs seen at this context, under ranges over all contexts."""
        if context > self._positions:
            return self._unmet.verifier(context - 1, 1)
        run = self._rollout
        inputs = run.layers[context - 1].x
        samples = tuple(
            sample(x, keys[: context - 1], values[: context - 1])
            for x, keys, values in zip(inputs, run.keys, run.values, strict=True)
        )
        return Calibration(samples, self._ranges)

    def verifier(self, cached: int, rows: int) -> Calibration:
        """Return the calibration of a block outside any host loop: that of a shape no run met."""
        return self._unmet.verifier(cached, rows)


class BlockShapeScales:
    """Calibrations of verifier blocks and drafts on the float host loop from all starts.

    They depend on the draft and on k, because these decide which blocks there are.
    """

    def __init__(self, target: TargetModel, draft: DraftModel, k: int, positions: int) -> None:
        """Run the loops for `positions` tokens; nothing is computed before it is asked for."""
        self._target = target
        self._unmet = GreedySequences(target)
        self._draft = draft
        self._k = k
        self._positions = positions

    @cached_property
    def _loop(self) -> FloatHostLoop:
        return float_host_loop(self._target, self._draft, self._k, self._positions)

    @cached_property
    def _samples(self) -> dict[tuple[int, int], tuple[Sample, ...]]:
        by_shape: dict[tuple[int, int], list[Sample]] = defaultdict(list)
        for block in self._loop.blocks:
            by_shape[len(block.keys), len(block.x)].append(sample(block.x, block.keys, block.values))
        return {shape: tuple(samples) for shape, samples in by_shape.items()}

    @cached_property
    def _ranges(self) -> dict[str, float]:
        return {
            "x": self._target.embedding_range,
            "k": largest(*(block.new_keys for block in self._loop.blocks)),
            "v": largest(*(block.new_values for block in self._loop.blocks)),
        }

    def visited(self, cached: int, rows: int) -> bool:
        """Say whether the float host loop met this shape."""
        return (cached, rows) in self._samples

    def verifier(self, cached: int, rows: int) -> Calibration:
        """Return the blocks of this shape that were seen, under ranges over all blocks."""
        if not self.visited(cached, rows):
            return self._unmet.verifier(cached, rows)
        return Calibration(self._samples[cached, rows], self._ranges)

    def draft(self) -> Calibration:
        """Return every distinct token that the draft was called on; all of them when k = 0 left it idle."""
        tokens = sorted(self._loop.drafted) or range(len(self._target.embedding))
        return draft_calibration(self._draft, tokens)


def draft_calibration(draft: DraftModel, tokens: range | list[int]) -> Calibration:
    """Calibrate a draft on these tokens' embeddings."""
    return Calibration(tuple({INPUT: np.atleast_2d(draft.embedding[token])} for token in tokens), {})
