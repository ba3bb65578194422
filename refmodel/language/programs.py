"""The compiled programs of a target and its drafts, each compiled when a host loop first asks for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Generic, Literal, TypeVar

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.capra.program import Program
from refmodel.language.calibration import Calibration, TargetScales, VerifierScales
from refmodel.language.draft import DraftModel
from refmodel.language.draft_step import draft_step
from refmodel.language.model_scales import ModelScales, every_token_draft_calibration
from refmodel.language.plain_step import plain_step
from refmodel.language.shape_scales import BlockShapeScales, PlainShapeScales
from refmodel.language.target import MAX_CONTEXT, TargetModel
from refmodel.language.verifier_block import verifier_block
from refmodel.numerics.quantization import FloatArray
from refmodel.source_map.role import Role

ScaleMode = Literal["shape", "model"]

Shape = TypeVar("Shape", bound=Hashable)


class ProgramCache(Generic[Shape]):
    """Programs by shape, each compiled once; its source map tells which step of a decoding it is."""

    def __init__(self, build: Callable[[Shape], tuple[Graph, Calibration, Role]]) -> None:
        """Take what makes the graph, the calibration and the role of a shape."""
        self._build = build
        self._programs: dict[Shape, Program] = {}

    def __getitem__(self, shape: Shape) -> Program:
        """Return the program of this shape; CompileError when its graph cannot be compiled."""
        if shape not in self._programs:
            graph, calibration, role = self._build(shape)
            program = compile_graph(graph, calibration.samples, calibration.ranges)
            self._programs[shape] = replace(program, role=role)
        return self._programs[shape]


class CompiledTarget:
    """A target's programs under one mode of scale planning, as the host loop asks for them."""

    max_context = MAX_CONTEXT

    def __init__(
        self, target: TargetModel, plain: ProgramCache[int], verifier: ProgramCache[tuple[int, int]]
    ) -> None:
        """Take the caches, which may be shared between compiled targets."""
        self.embedding: FloatArray = target.embedding
        self._plain = plain
        self._verifier = verifier

    def plain(self, context: int) -> Program:
        """Return the plain step with this many tokens of context, at least 1."""
        return self._plain[context]

    def verifier(self, cached: int, rows: int) -> Program:
        """Return the verifier block of `rows` tokens over `cached` rows."""
        return self._verifier[cached, rows]


class CompiledDraft:
    """A draft's one program, as the host loop asks for it."""

    def __init__(self, draft: DraftModel, target: str, calibrate: Callable[[], Calibration]) -> None:
        """Take the kind of its target, and what calibrates it, called when the program is first needed."""
        self.embedding: FloatArray = draft.embedding
        role = Role("draft", target, cached=0, rows=1)
        self._programs = ProgramCache[None](lambda _: (draft_step(draft), calibrate(), role))

    def draft(self) -> Program:
        """Return the draft step."""
        return self._programs[None]


class ProgramFamily:
    """All that is compiled for one target under one mode: plain steps, and blocks for any draft and k."""

    def __init__(self, target: TargetModel, scales: ScaleMode, positions: int) -> None:
        """Plan for `positions` rows of context: the length of the prompt − 1 + the tokens to decode."""
        self.target = target
        self.scales = scales
        self._positions = positions
        planned: TargetScales = (
            PlainShapeScales(target, positions) if scales == "shape" else ModelScales(target, positions)
        )
        self._plain = ProgramCache[int](
            lambda context: (
                plain_step(target, context),
                planned.plain(context),
                Role("plain", target.kind, context - 1, 1),
            )
        )
        self._verifier = _verifier_cache(target, planned)

    def for_plain(self) -> CompiledTarget:
        """Return the programs for plain decoding; blocks are calibrated on greedy sequences."""
        return CompiledTarget(self.target, self._plain, self._verifier)

    def for_speculation(self, draft: DraftModel, k: int) -> tuple[CompiledTarget, CompiledDraft]:
        """Return the programs for decoding with this draft and k guesses a block.

        With `shape` scales blocks are calibrated for this draft and k; with `model` scales every draft and k
        shares the same blocks.
        """
        kind = self.target.kind
        if self.scales == "model":
            return self.for_plain(), CompiledDraft(draft, kind, lambda: every_token_draft_calibration(draft))
        blocks = BlockShapeScales(self.target, draft, k, self._positions)
        compiled = CompiledTarget(self.target, self._plain, _verifier_cache(self.target, blocks))
        return compiled, CompiledDraft(draft, kind, blocks.draft)


def _verifier_cache(target: TargetModel, scales: VerifierScales) -> ProgramCache[tuple[int, int]]:
    return ProgramCache(
        lambda shape: (
            verifier_block(target, *shape),
            scales.verifier(*shape),
            Role("verifier", target.kind, *shape),
        )
    )
