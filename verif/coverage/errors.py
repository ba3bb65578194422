"""The errors of coverage that a user can cause."""

from __future__ import annotations

from refmodel.errors import Ga2Error


class CoverageError(Ga2Error):
    """Definitions or databases that cannot be used; the message names the file and what to do."""


class StaleCoverageError(CoverageError):
    """A database was collected under other definitions than today's."""
