"""Speculative against plain tokens over many random targets: the rate of equal runs by mode of scales."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from refmodel.language.programs import ScaleMode
from regressions.study.decodings import Decoding, Decodings
from sequences.decode_request import DecodeRequest

STARTS = (0, 5, 10, 15)
"""The tokens that each target starts from."""


@dataclass(frozen=True)
class EqualityRun:
    """One decoding of one target."""

    decoding: Decoding

    @property
    def scales(self) -> ScaleMode:
        """How scales are planned."""
        return self.decoding.request.scales

    @property
    def seed(self) -> int:
        """The target's."""
        return self.decoding.request.target_seed

    @property
    def start(self) -> int:
        """The token that it starts from."""
        return self.decoding.request.prompt[0]

    @property
    def equal_tokens(self) -> int:
        """Tokens before the first that differs; all of them when none does."""
        pairs = zip(self.decoding.plain.tokens, self.decoding.speculative.tokens, strict=True)
        different = (position for position, (plain, speculative) in enumerate(pairs) if plain != speculative)
        return next(different, len(self.decoding.plain.tokens))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; the tokens only where they differ."""
        values: dict[str, Any] = {"target_seed": self.seed, "start": self.start}
        values |= {"equal": self.decoding.equal, "equal_tokens": self.equal_tokens}
        if not self.decoding.equal:
            values["plain_tokens"] = list(self.decoding.plain.tokens)
            values["speculative_tokens"] = list(self.decoding.speculative.tokens)
        return values


@dataclass(frozen=True)
class ModeEquality:
    """All runs under one mode of scales, by target, then start."""

    scales: ScaleMode
    runs: tuple[EqualityRun, ...]

    @property
    def equal(self) -> int:
        """Runs with the same tokens."""
        return sum(run.decoding.equal for run in self.runs)

    @property
    def rate(self) -> float:
        """Their part of all runs."""
        return self.equal / len(self.runs)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of the targets."""
        return tuple(dict.fromkeys(run.seed for run in self.runs))

    @property
    def equal_targets(self) -> int:
        """Targets with the same tokens from every start."""
        return len(self.seeds) - len({run.seed for run in self.runs if not run.decoding.equal})

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "scales": self.scales,
            "runs": len(self.runs),
            "equal": self.equal,
            "rate": self.rate,
            "targets": len(self.seeds),
            "equal_targets": self.equal_targets,
            "outcomes": [run.to_json() for run in self.runs],
        }


@dataclass(frozen=True)
class EqualityStudy:
    """Every run."""

    simulator: str
    request: DecodeRequest
    """What all runs share: k, draft and tokens."""
    modes: tuple[ModeEquality, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as docs/studies.md describes it."""
        request = self.request
        return {
            "study": "equality",
            "simulator": self.simulator,
            "target": request.target,
            "first_seed": self.modes[0].seeds[0],
            "starts": list(STARTS),
            "tokens": request.tokens,
            "k": request.k,
            "draft": request.draft,
            "noise": request.noise,
            "draft_seed": request.draft_seed,
            "modes": [mode.to_json() for mode in self.modes],
        }


def equality_requests(request: DecodeRequest, targets: int) -> list[DecodeRequest]:
    """Return the requests for so many targets, of the seeds from the request's own on, in both modes."""
    scale_modes: tuple[ScaleMode, ...] = ("shape", "model")
    return [
        replace(request, scales=scales, target_seed=seed, prompt=(start,))
        for scales in scale_modes
        for seed in range(request.target_seed, request.target_seed + targets)
        for start in STARTS
    ]


def study_equality(decodings: Decodings) -> EqualityStudy:
    """Return the study that the decodings of `equality_requests` make."""
    runs = tuple(map(EqualityRun, decodings.decodings))
    modes = tuple(
        ModeEquality(scales, tuple(run for run in runs if run.scales == scales))
        for scales in dict.fromkeys(run.scales for run in runs)
    )
    return EqualityStudy(decodings.simulator, decodings.decodings[0].request, modes)
