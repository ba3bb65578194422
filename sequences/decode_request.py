"""One decoding that somebody asks for; from it come the host loops that the model and the RTL run alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from refmodel.language.draft import DraftKind, make_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import make_target
from refmodel.speculative.host_loop import HostLoop, check_context, plain_decode, speculative_decode


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

    def check(self) -> None:
        """Raise Ga2Error unless both decodings can be met: a known target, and room for all its context."""
        check_context(self._programs().for_plain(), self.prompt, self.tokens, self.k)

    def plain(self) -> HostLoop:
        """Return the loop that decodes with the target alone; errors as of `plain_decode`."""
        return plain_decode(self._programs().for_plain(), self.prompt, self.tokens)

    def speculative(self) -> HostLoop:
        """Return the loop that decodes with draft and target; errors as of `speculative_decode`."""
        programs = self._programs()
        draft = make_draft(self.draft, programs.target, self.noise, self.draft_seed)
        compiled_target, compiled_draft = programs.for_speculation(draft, self.k)
        return speculative_decode(compiled_target, compiled_draft, self.prompt, self.tokens, self.k)

    def _programs(self) -> ProgramFamily:
        positions = len(self.prompt) - 1 + self.tokens
        return _program_family(self.target, self.target_seed, self.scales, positions)


@lru_cache(maxsize=8)
def _program_family(target: str, seed: int, scales: ScaleMode, positions: int) -> ProgramFamily:
    """Share programs between requests about one target: most of them are compiled once."""
    return ProgramFamily(make_target(target, seed), scales, positions)
