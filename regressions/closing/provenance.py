"""From which commit, seed and tools a campaign's result comes."""

from __future__ import annotations

from dataclasses import dataclass

from regressions.choices import RTL_SIMULATORS
from verif.failure.provenance import git_commit, tool_versions
from verif.sources import source_digests


@dataclass(frozen=True)
class Provenance:
    """All that a result depends on."""

    commit: str
    """Of the working tree, with `-dirty` when something in it has changed since."""
    seed: int
    definitions: str
    """Fingerprint of the coverage model."""
    tools: dict[str, str]
    """Versions by name."""
    sources: dict[str, str]
    """Digests of what decides what is sent and expected, by path."""


def provenance(seed: int, definitions: str) -> Provenance:
    """Return it for what is run here and now."""
    tools: dict[str, str] = {}
    for simulator in RTL_SIMULATORS:
        tools |= tool_versions(simulator)
    return Provenance(git_commit(), seed, definitions, tools, source_digests())
