"""The errors of code coverage that a user can cause."""

from __future__ import annotations

from refmodel.errors import Ga2Error


class CodeCoverageError(Ga2Error):
    """Counts or exclusions that cannot be used; the message names the file and what to do."""
