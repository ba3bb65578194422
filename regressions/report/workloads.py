"""The decodings that the report shows, run on the model: what speculation takes and is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from refmodel.language.programs import ScaleMode
from refmodel.machine.result import Counters
from regressions.choices import MODEL
from regressions.closing.shape_costs import ShapeCost, shape_costs
from regressions.published.table import DecodingRow, decoding_rows
from regressions.study.anatomy import Pair, study_anatomy
from regressions.study.cost_model import CostModelStudy, study_cost_model
from regressions.study.decodings import Decoding, run_decodings
from regressions.study.sweep import Cell, study_sweep, sweep_requests
from sequences.decode_request import DecodeRequest

ANATOMY_CACHED, ANATOMY_ROWS = 4, 4
"""The verifier block that is taken apart: of k = 3, as published."""


@dataclass(frozen=True)
class TableDecoding:
    """One decoding of the published table."""

    scales: ScaleMode
    name: str
    plain: bool
    request: DecodeRequest
    tokens: int
    accepted: int
    proposed: int
    counters: Counters
    """Of all its programs."""
    plain_cycles: int
    """Of plain decoding of the same target under the same scales."""

    @property
    def speedup(self) -> float:
        """Over plain decoding."""
        return self.plain_cycles / self.counters.cyc_total

    @property
    def units(self) -> dict[str, int]:
        """Cycles by the counter that has them; `front` is what fetching and issuing take, which has none."""
        counters = self.counters
        units = {"matrix": counters.cyc_mm, "DMA": counters.cyc_dma, "vector": counters.cyc_vec}
        return {**units, "front": counters.cyc_total - sum(units.values())}


@dataclass(frozen=True)
class SweepCell:
    """One decoding of the sweep, and what the cost model says of it (under shape scales)."""

    scales: ScaleMode
    noise: float
    k: int
    acceptance: float
    """Part of the guesses that stood."""
    speedup: float
    cycles_a_token: float
    equal: bool
    """Did it decode the plain tokens?"""
    predicted: float | None = None
    """Speedup by the cost model."""
    by_tokens: float | None = None
    """The same with the tokens a block that were measured."""


@dataclass(frozen=True)
class BlockCost:
    """What a block of k guesses costs, in cycles over 12 cached rows."""

    k: int
    verify: int
    block: int
    """k draft steps and the verifier block."""
    plain_steps: float
    """The block in plain steps: the tokens that it must emit to break even."""


@dataclass(frozen=True)
class Workloads:
    """All of it."""

    table: tuple[TableDecoding, ...]
    sweep: tuple[SweepCell, ...]
    costs: tuple[BlockCost, ...]
    plain_step: int
    draft_step: int
    mean_error: float
    """Of the cost model, signs apart, as a part of the measurement."""
    mean_error_by_tokens: float
    anatomy: dict[str, dict[str, Pair]]
    """A verifier block beside the plain steps that it stands for: by counter, unit, stage and phase."""
    shapes: tuple[ShapeCost, ...]
    published: int
    """Published figures that these studies hold themselves against."""
    reproduced: int
    unequal: int
    """Decodings under model scales whose tokens are not the plain ones; there must be none."""


def run_workloads() -> Workloads:
    """Run everything on the model; it takes half a minute."""
    rows = decoding_rows()
    first = next(row.request for row in rows if row.request.target == "structured")
    swept = sweep_requests(first)
    modelled = [request for request in swept if request.scales == "shape"]
    wanted = dict.fromkeys([*swept, *(row.request for row in rows if not row.plain)])
    every = run_decodings(list(wanted), MODEL)
    found = dict(zip(wanted, every.decodings, strict=True))
    sweep = study_sweep(replace(every, decodings=tuple(found[each] for each in swept)))
    predicted = study_cost_model(
        study_sweep(replace(every, decodings=tuple(found[each] for each in modelled)))
    )
    anatomy = study_anatomy(ANATOMY_CACHED, ANATOMY_ROWS)
    table = tuple(_table_decoding(row, every.decodings) for row in rows)
    figures = [*sweep.figures, *predicted.figures, *anatomy.figures]
    return Workloads(
        table=table,
        sweep=tuple(_cell(cell, predicted) for cell in sweep.cells),
        costs=_costs(predicted),
        plain_step=predicted.costs.plain,
        draft_step=predicted.costs.draft,
        mean_error=predicted.mean_error,
        mean_error_by_tokens=predicted.mean_error_of_costs,
        anatomy={
            "cycles by unit": {lane.title: pair for lane, pair in anatomy.lanes.items()},
            "cycles by stage of the layer": anatomy.stages,
            "cycles of the matrix unit by phase": anatomy.matrix_parts,
            "counters": {**anatomy.counters, "words loaded": anatomy.words_loaded},
        },
        shapes=tuple(shape_costs("structured")),
        published=len(figures),
        reproduced=sum(figure.good for figure in figures),
        unequal=sum(not each.equal and each.request.scales == "model" for each in every.decodings),
    )


def _table_decoding(row: DecodingRow, decodings: Sequence[Decoding]) -> TableDecoding:
    """Return what a row of the published table comes to; any decoding of its target has its plain one."""
    request = row.request
    same = [each for each in decodings if _target(each.request) == _target(request)]
    plain = same[0].plain
    outcome = plain if row.plain else next(each.speculative for each in same if each.request == request)
    return TableDecoding(
        request.scales,
        row.name,
        row.plain,
        request,
        len(outcome.tokens),
        outcome.accepted,
        outcome.proposed,
        outcome.counters,
        plain.counters.cyc_total,
    )


def _target(request: DecodeRequest) -> tuple[object, ...]:
    """Return what requests share that have one plain decoding."""
    return request.target, request.target_seed, request.scales, request.tokens, request.prompt


def _cell(cell: Cell, predicted: CostModelStudy) -> SweepCell:
    told = predicted.prediction(cell.noise, cell.k) if cell.scales == "shape" else None
    return SweepCell(
        cell.scales,
        cell.noise,
        cell.k,
        cell.acceptance,
        cell.speedup,
        cell.cycles_a_token,
        cell.decoding.equal,
        None if told is None else told.predicted,
        None if told is None else told.by_tokens,
    )


def _costs(study: CostModelStudy) -> tuple[BlockCost, ...]:
    costs = study.costs
    return tuple(
        BlockCost(k, costs.verify[k], costs.block(k), costs.block(k) / costs.plain) for k in study.sweep.ks
    )
