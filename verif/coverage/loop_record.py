"""One decoding by a host loop, as coverage counts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refmodel.language.target import MAX_CONTEXT
from refmodel.speculative.block_loop import DecodeRun
from sequences.decode_request import DecodeRequest

Decoding = Literal["plain", "speculative"]


@dataclass(frozen=True)
class LoopRecord:
    """A decoding that ended; every program of it ran on the RTL."""

    decoding: Decoding
    k: int
    """Guesses a block; 0 for a plain one."""
    prompt: int
    """Tokens of the prompt."""
    wanted: int
    """Tokens asked for."""
    emitted: int
    """Tokens that came, those of a truncated last block included."""
    accepted: tuple[int, ...]
    """Guesses accepted in each block."""
    context_full: bool
    """Did prompt, tokens and k fill the context?"""
    stopped: bool = False
    """Did a stop token end it?"""
    scales: str = "model"
    """How its scales were planned."""


def plain_loop(request: DecodeRequest, run: DecodeRun) -> LoopRecord:
    """Return the record of a plain decoding of a request."""
    return _record("plain", request, run, k=0, emitted=len(run.tokens))


def speculative_loop(request: DecodeRequest, run: DecodeRun) -> LoopRecord:
    """Return the record of a speculative decoding: each block emits a token beside accepted guesses."""
    emitted = sum(len(block.emitted) for block in run.history)
    return _record("speculative", request, run, k=request.k, emitted=emitted)


def _record(decoding: Decoding, request: DecodeRequest, run: DecodeRun, k: int, emitted: int) -> LoopRecord:
    return LoopRecord(
        decoding=decoding,
        k=k,
        prompt=len(request.prompt),
        wanted=request.tokens,
        emitted=emitted,
        accepted=tuple(block.accepted for block in run.history),
        context_full=len(request.prompt) + request.tokens + k == MAX_CONTEXT,
        stopped=bool(run.tokens) and run.tokens[-1] in request.stop_tokens,
        scales=request.scales,
    )
