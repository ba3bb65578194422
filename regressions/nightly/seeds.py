"""How a night's one seed becomes a seed for each of its jobs."""

from __future__ import annotations

import hashlib
import secrets
from typing import Annotated, Any

from pydantic import Field

from verif.simulation.tools import LARGEST_SEED

Seed = Annotated[int, Field(ge=1, le=LARGEST_SEED)]

PLACEHOLDER = "$seed"
"""What a test's parameters say where they want the job's seed."""


def random_base_seed() -> int:
    """Return a seed for a night that was given none."""
    return 1 + secrets.randbelow(LARGEST_SEED)


def derived_seed(base: int, name: str) -> int:
    """Return the seed of what is called `name`: whatever else runs, in whichever order, on any machine."""
    digest = hashlib.sha256(f"{base}/{name}".encode()).digest()
    return 1 + int.from_bytes(digest[:8], "big") % LARGEST_SEED


def with_seed(value: Any, seed: int) -> Any:
    """Return JSON values in which the seed has taken the place of every `$seed`."""
    if isinstance(value, dict):
        return {key: with_seed(each, seed) for key, each in value.items()}
    if isinstance(value, list):
        return [with_seed(each, seed) for each in value]
    return seed if value == PLACEHOLDER else value


def wants_seed(value: Any) -> bool:
    """Is there a `$seed` in these JSON values?"""
    return bool(with_seed(value, 0) != with_seed(value, 1))
