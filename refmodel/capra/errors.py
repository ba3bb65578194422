"""The one exception of the Capra compiler."""

from __future__ import annotations

from refmodel.errors import Ga2Error


class CompileError(Ga2Error):
    """A graph, its calibration or its ranges cannot be compiled; the message names node and reason."""
