"""The window of cycles whose waves are dumped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from pydantic import ConfigDict, with_config


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True)
class WaveWindow:
    """Cycles of one pass of a program, as cycles count: its FETCH of pc 0 is 1."""

    first: int
    last: int
    start: int = 1
    """Which honoured start of the run the cycles belong to; the first is 1."""
    words: tuple[int, ...] = ()
    """Addresses of scratchpad words that are mirrored, up to `harness.MIRRORED_WORD_COUNT`."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Return what `to_json` was called on."""
        return cls(values["first"], values["last"], values["start"], tuple(values["words"]))
