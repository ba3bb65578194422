"""One decoding that somebody asks for; from it come the host loops that the model and the RTL run alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import ConfigDict, with_config

from refmodel.errors import Ga2Error
from refmodel.language.draft import DraftKind, make_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import make_target
from refmodel.speculative.host_loop import HostLoop, check_context, plain_decode, speculative_decode


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True)
class DecodeRequest:
    """Which target and draft, how many tokens after which prompt, and how scales are planned.

    Every field is a JSON value, so that a request travels into a simulation as it is.
    """

    target: str = "structured"
    """One of `refmodel.language.target.TARGET_KINDS`."""
    target_seed: int = 1
    k: int = 3
    """Guesses a block."""
    draft: DraftKind = "bigram"
    noise: float = 0.0
    """Standard deviation of what blurs the draft's logits."""
    draft_seed: int = 1
    tokens: int = 32
    prompt: tuple[int, ...] = (0,)
    scales: ScaleMode = "shape"
    stop_tokens: tuple[int, ...] = ()
    """Decoding ends early with the first of these, which is kept."""

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> DecodeRequest:
        """Return the request that travelled as the fields of `dataclasses.asdict`, as JSON."""
        lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
        return cls(**{**fields, **lists})

    def check(self) -> None:
        """Raise Ga2Error unless both decodings can be met: known target and tokens, room for the context."""
        targets = self._programs().for_plain()
        check_context(targets, self.prompt, self.tokens, self.k)
        vocabulary = len(targets.embedding)
        for token in self.stop_tokens:
            if not 0 <= token < vocabulary:
                raise Ga2Error(f"stop token {token} is outside the vocabulary 0..{vocabulary - 1}")

    def plain(self) -> HostLoop:
        """Return the loop that decodes with the target alone; errors as of `plain_decode`."""
        return plain_decode(self._programs().for_plain(), self.prompt, self.tokens, self.stop_tokens)

    def speculative(self) -> HostLoop:
        """Return the loop that decodes with draft and target; errors as of `speculative_decode`."""
        programs = self._programs()
        draft = make_draft(self.draft, programs.target, self.noise, self.draft_seed)
        compiled_target, compiled_draft = programs.for_speculation(draft, self.k)
        return speculative_decode(
            compiled_target, compiled_draft, self.prompt, self.tokens, self.k, self.stop_tokens
        )

    def _programs(self) -> ProgramFamily:
        positions = len(self.prompt) - 1 + self.tokens
        return _program_family(self.target, self.target_seed, self.scales, positions)


@lru_cache(maxsize=8)
def _program_family(target: str, seed: int, scales: ScaleMode, positions: int) -> ProgramFamily:
    """Share programs between requests about one target: most of them are compiled once."""
    return ProgramFamily(make_target(target, seed), scales, positions)
