"""What a study must find where its figures are published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refmodel.published import figures
from regressions.published.table import Figure, decoding_rows
from regressions.study.decodings import Decoding
from sequences.decode_request import DecodeRequest


def ratio(value: float) -> str:
    """Return a speedup as it is published: 1.93x."""
    return f"{value:.2f}x"


def decoding_figures(decoding: Decoding) -> list[Figure]:
    """Return the figures of a decoding that is a row of the published table; none for any other."""
    return [
        figure
        for row in decoding_rows()
        if not row.plain and row.request == decoding.request
        for figure in row.judge(decoding.speculative, decoding.plain).figures
    ]


def is_published_sweep(request: DecodeRequest) -> bool:
    """Say whether the published sweep has a cell for a request, its k and noise apart."""
    published = figures()
    return request == DecodeRequest(
        target="structured",
        target_seed=1,
        k=request.k,
        noise=request.noise,
        draft_seed=published["draft_seed"],
        tokens=published["tokens"],
        prompt=(published["start"],),
        scales="shape",
    )


def published_cell(entries: Sequence[dict[str, Any]], noise: float, k: int) -> dict[str, Any] | None:
    """Return the entry of this noise and k, if there is one."""
    return next((entry for entry in entries if (entry["noise"], entry["k"]) == (noise, k)), None)


def figures_json(judged: Sequence[Figure]) -> list[dict[str, Any]]:
    """Return figures as JSON values."""
    return [
        {"name": each.name, "published": each.published, "found": each.found, "good": each.good}
        for each in judged
    ]
