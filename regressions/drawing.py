"""How every picture of the command line looks, and how it becomes a file.

This module loads matplotlib, which takes longer than all other imports of the command line together: import
it only where a picture is asked for. No window is involved; every format is drawn in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from io import BytesIO
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.typing import RcKeyType

WIDTH = 13.0
"""Inches."""

MUTED = "#404040"
"""The colour of what explains rather than shows."""

_STYLE: dict[RcKeyType, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 11.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.edgecolor": "#808080",
    "ytick.major.size": 0.0,
    "svg.hashsalt": "GA2",
    "text.parse_math": False,
}

_UNDATED: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
"""Leaves the time of drawing out: the same subject gives the same picture."""


def drawn(make_figure: Callable[[], Figure], picture_format: str) -> bytes:
    """Return the content of a picture file; `picture_format` is one of `PICTURE_FORMATS`.

    The figure is made here, in the style of all pictures and in no other.
    """
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE}), warnings.catch_warnings():
        figure = make_figure()
        content = BytesIO()
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # a name's sign becomes a box
        figure.savefig(content, format=picture_format, dpi=140, metadata=_UNDATED.get(picture_format))
    return content.getvalue()


def empty_figure(height: float) -> Figure:
    """Return a figure of the common width, laid out by its contents."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
