"""The parameters of a UVM test, of which none is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refmodel.errors import Ga2Error


class ParameterError(Ga2Error):
    """A test was given something that it does not know, or not what it needs."""


class Parameters:
    """What a test was asked for. It remembers what the test has looked for, so a misspelt name is found."""

    def __init__(self, values: Mapping[str, Any], whose: str) -> None:
        """Take the values, and whose they are, for messages."""
        self._values, self._whose = values, whose
        self._looked_for: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        """Return one that must be there. Raises ParameterError."""
        if name not in self:
            raise ParameterError(f"{self._whose} needs parameter {name!r}")
        return self._values[name]

    def __contains__(self, name: str) -> bool:
        """Return whether it is there."""
        self._looked_for.add(name)
        return name in self._values

    def get(self, name: str, default: Any = None) -> Any:
        """Return one that need not be there."""
        self._looked_for.add(name)
        return self._values.get(name, default)

    def require_all_known(self) -> None:
        """Raise ParameterError if there is one that the test, which has ended, never looked for."""
        unknown = sorted(set(self._values) - self._looked_for)
        if unknown:
            known = ", ".join(sorted(self._looked_for))
            raise ParameterError(f"{self._whose} has no parameter {unknown[0]!r}; it looks for {known}")
