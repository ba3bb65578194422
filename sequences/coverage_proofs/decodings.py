"""Proofs about the steps of a decoding, and about whole ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from refmodel.capra.program import Program
from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import VOCABULARY, make_target
from sequences.coverage_proofs.proof import Decoding, Proof, of_bundle, single
from sequences.decode_request import DecodeRequest
from sequences.directed.directed_program import DirectedProgram

POSITIONS = 8

EVERY_TOKEN = tuple(range(VOCABULARY))
"""Whatever comes first ends a decoding."""

BAD_DRAFT_NOISE = 1000.0
"""Blurs a draft so much that it guesses at random."""


def decoding_proofs() -> Iterator[Proof]:
    """Yield them."""
    yield single(
        "verifier_shape",
        ("sharp", "1..3", "2"),
        _verifier("sharp", 3, 2),
        _verifier("sharp", 4, 2),
        _verifier("sharp", 3, 1),
        _verifier("random", 3, 2),
    )
    yield single(
        "verifier_block",
        ("3", "2"),
        _verifier("sharp", 3, 2),
        _verifier("sharp", 2, 2),
        _verifier("sharp", 3, 3),
    )
    yield single(
        "plain_context", ("random", "0"), _plain("random", 0), _plain("random", 1), _plain("structured", 0)
    )
    yield single("draft_target", ("structured",), _draft("structured"), _draft("random"))
    yield Proof(
        "accepted_guesses",
        ("2", "2"),
        _speculative(k=2, tokens=3),
        (_speculative(k=2, tokens=1, noise=BAD_DRAFT_NOISE), _speculative(k=1, tokens=2)),
    )
    yield Proof(
        "accepted_by_scales",
        ("model", "3", "2"),
        _speculative(k=2, tokens=3, scales="model"),
        (_speculative(k=2, tokens=3), _speculative(k=1, tokens=2, scales="model")),
    )
    yield Proof(
        "loop_end",
        ("speculative", "inside its last block"),
        _speculative(k=3, tokens=3),
        (_speculative(k=3, tokens=4),),
    )
    for kind, speculative in (("plain", False), ("speculative", True)):
        yield Proof(
            "loop_end",
            (kind, "with a stop token"),
            Decoding(DecodeRequest(tokens=4, stop_tokens=EVERY_TOKEN), speculative=speculative),
            (
                Decoding(DecodeRequest(tokens=4), speculative=speculative),
                Decoding(DecodeRequest(tokens=4, stop_tokens=EVERY_TOKEN), speculative=not speculative),
            ),
        )
    yield Proof(
        "prompt_length",
        ("plain", "2..4"),
        Decoding(DecodeRequest(tokens=1, prompt=(0, 3)), speculative=False),
        (
            Decoding(DecodeRequest(tokens=1, prompt=(0,)), speculative=False),
            Decoding(DecodeRequest(tokens=1, k=1, prompt=(0, 3)), speculative=True),
        ),
    )


def _speculative(k: int, tokens: int, noise: float = 0.0, scales: ScaleMode = "shape") -> Decoding:
    return Decoding(DecodeRequest(k=k, tokens=tokens, noise=noise, scales=scales), speculative=True)


def _family(target: str) -> ProgramFamily:
    return ProgramFamily(make_target(target), "model", POSITIONS)


def _verifier(target: str, cached: int, rows: int) -> DirectedProgram:
    return _on_ones(_family(target).for_plain().verifier(cached, rows))


def _plain(target: str, cached: int) -> DirectedProgram:
    return _on_ones(_family(target).for_plain().plain(cached + 1))


def _draft(target: str) -> DirectedProgram:
    family = _family(target)
    _, draft = family.for_speculation(bigram_draft(family.target), k=1)
    return _on_ones(draft.draft())


def _on_ones(program: Program) -> DirectedProgram:
    return of_bundle(program.bundle({name: np.ones(port.shape) for name, port in program.inputs.items()}))
