"""What text and pictures of all studies say in the same words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from regressions.published.table import Figure
from sequences.decode_request import DecodeRequest


def published_lines(figures: Sequence[Figure]) -> Iterator[str]:
    """Yield the verdict on the published figures; nothing where none is published."""
    wrong = [figure for figure in figures if not figure.good]
    for figure in wrong:
        yield f"NOT reproduced: {figure.name}: published {figure.published}, found {figure.found}"
    if figures:
        yield f"{len(figures) - len(wrong)} of {len(figures)} published figures reproduced"


def target_name(target: str, seed: int) -> str:
    """Return the name of a target: `structured`, `random 7`."""
    return target if target == "structured" else f"{target} {seed}"


def draft_name(request: DecodeRequest) -> str:
    """Return the name of a draft: `noise 3`, `contrary draft, noise 0`."""
    noise = f"noise {request.noise:g}"
    return noise if request.draft == "bigram" else f"{request.draft} draft, {noise}"


def percent(part: float) -> str:
    """Return a part in whole percent."""
    return f"{100 * part:.0f} %"


def equality(equal: int, runs: int) -> str:
    """Return how many runs decode the plain tokens."""
    return f"speculative tokens equal plain tokens in {equal} of {runs} runs"
