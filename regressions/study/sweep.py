"""Draft quality against k: what each pair is worth under both ways to plan scales."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from refmodel.language.programs import ScaleMode
from refmodel.published import figures
from regressions.published.table import Figure
from regressions.study.decodings import Decoding, Decodings
from regressions.study.published import (
    decoding_figures,
    figures_json,
    is_published_sweep,
    published_cell,
    ratio,
)
from sequences.decode_request import DecodeRequest

NOISES = (0.0, 3.0, 4.0, 5.0, 6.0)
"""Blurs of the draft, from the best one on."""

KS = (1, 2, 3, 4, 5)
"""Guesses a block."""


@dataclass(frozen=True)
class Cell:
    """One decoding of the sweep."""

    decoding: Decoding

    @property
    def scales(self) -> ScaleMode:
        """How scales are planned."""
        return self.decoding.request.scales

    @property
    def noise(self) -> float:
        """What blurs the draft."""
        return self.decoding.request.noise

    @property
    def k(self) -> int:
        """Guesses a block."""
        return self.decoding.request.k

    @property
    def acceptance(self) -> float:
        """Part of the guesses that stood."""
        return self.decoding.speculative.accepted / self.decoding.speculative.proposed

    @property
    def tokens_a_block(self) -> float:
        """Mean of what a block emits, what the last one overshoots by included."""
        return 1.0 + self.decoding.speculative.accepted / self.decoding.speculative.blocks

    @property
    def cycles_a_token(self) -> float:
        """All cycles over the tokens that were asked for."""
        return self.decoding.speculative.counters.cyc_total / len(self.decoding.speculative.tokens)

    @property
    def speedup(self) -> float:
        """Over plain decoding."""
        plain, speculative = self.decoding.plain.counters, self.decoding.speculative.counters
        return plain.cyc_total / speculative.cyc_total

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        speculative = self.decoding.speculative
        return {
            "scales": self.scales,
            "noise": self.noise,
            "k": self.k,
            "accepted": speculative.accepted,
            "proposed": speculative.proposed,
            "blocks": speculative.blocks,
            "acceptance": self.acceptance,
            "tokens_a_block": self.tokens_a_block,
            "cycles": speculative.counters.cyc_total,
            "plain_cycles": self.decoding.plain.counters.cyc_total,
            "cycles_a_token": self.cycles_a_token,
            "speedup": self.speedup,
            "equal": self.decoding.equal,
        }


@dataclass(frozen=True)
class SweepStudy:
    """All cells, by mode of scales, then noise, then k."""

    simulator: str
    request: DecodeRequest
    """What all cells share; its k, noise and scales are no matter."""
    cells: tuple[Cell, ...]
    figures: tuple[Figure, ...]
    """Those that are published."""

    @property
    def modes(self) -> tuple[ScaleMode, ...]:
        """The modes of scales that were swept."""
        return tuple(dict.fromkeys(cell.scales for cell in self.cells))

    @property
    def noises(self) -> tuple[float, ...]:
        """The rows of the sweep."""
        return tuple(dict.fromkeys(cell.noise for cell in self.cells))

    @property
    def ks(self) -> tuple[int, ...]:
        """The columns of the sweep."""
        return tuple(dict.fromkeys(cell.k for cell in self.cells))

    def cell(self, scales: ScaleMode, noise: float, k: int) -> Cell:
        """Return one cell."""
        return next(cell for cell in self.cells if (cell.scales, cell.noise, cell.k) == (scales, noise, k))

    def same_figures(self, one: ScaleMode, other: ScaleMode) -> bool:
        """Say whether two modes show the same in every cell."""
        figures_of = ({**cell.to_json(), "scales": ""} for cell in self.cells if cell.scales == one)
        figures_of_other = ({**cell.to_json(), "scales": ""} for cell in self.cells if cell.scales == other)
        return list(figures_of) == list(figures_of_other)

    def equal(self, scales: ScaleMode) -> int:
        """Return how many cells of a mode decode the plain tokens."""
        return sum(cell.decoding.equal for cell in self.cells if cell.scales == scales)

    def to_json(self) -> dict[str, Any]:
        """Return it as docs/studies.md describes it."""
        request = self.request
        return {
            "study": "sweep",
            "simulator": self.simulator,
            "target": request.target,
            "target_seed": request.target_seed,
            "draft_seed": request.draft_seed,
            "tokens": request.tokens,
            "start": request.prompt[0],
            "noises": list(self.noises),
            "ks": list(self.ks),
            "cells": [cell.to_json() for cell in self.cells],
            "published": figures_json(self.figures),
        }


def sweep_requests(
    request: DecodeRequest,
    modes: Sequence[ScaleMode] = ("shape", "model"),
    noises: Sequence[float] = NOISES,
    ks: Sequence[int] = KS,
) -> list[DecodeRequest]:
    """Return one request a cell: `request` with each mode of scales, noise and k, which is at least 1."""
    return [
        replace(request, scales=scales, noise=noise, k=k) for scales in modes for noise in noises for k in ks
    ]


def study_sweep(decodings: Decodings) -> SweepStudy:
    """Return the sweep that the decodings of `sweep_requests` make."""
    cells = tuple(map(Cell, decodings.decodings))
    judged = tuple(figure for cell in cells for figure in _figures(cell))
    return SweepStudy(decodings.simulator, decodings.decodings[0].request, cells, judged)


def _figures(cell: Cell) -> list[Figure]:
    """Return what is published of a cell: by the sweep, and by the table for a few."""
    place = f"{cell.scales} scales, noise {cell.noise:g}, k = {cell.k}"
    judged = [replace(figure, name=f"{place}: {figure.name}") for figure in decoding_figures(cell.decoding)]
    entry = published_cell(figures()["sweep"], cell.noise, cell.k)
    if entry is not None and is_published_sweep(cell.decoding.request):
        acceptance, speedup = round(100 * cell.acceptance), ratio(cell.speedup)
        judged.append(Figure(f"{place}: acceptance in %", entry["acceptance_percent"], acceptance))
        judged.append(Figure(f"{place}: speedup", ratio(entry["speedup"]), speedup))
    return judged
