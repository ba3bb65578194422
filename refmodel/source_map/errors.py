"""The one exception of source maps."""

from __future__ import annotations

from refmodel.errors import Ga2Error


class SourceMapError(Ga2Error):
    """A source map contradicts itself or the machine; the message names the entry and what is legal."""
