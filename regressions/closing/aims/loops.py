"""Decodings that hit what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import count, product

from refmodel.errors import Ga2Error
from refmodel.language.draft import DRAFT_KINDS
from refmodel.language.target import MAX_CONTEXT, TARGET_KINDS, VOCABULARY
from refmodel.machine.machine import Machine
from refmodel.speculative.block_loop import DecodeRun
from refmodel.speculative.host_loop import HostLoop
from refmodel.speculative.model_runner import run_on_model
from regressions.closing.aim import Attempt, Candidate, choose
from regressions.closing.job import Job
from sequences.decode_request import DecodeRequest
from verif.coverage.loop_record import plain_loop, speculative_loop
from verif.coverage.model import CoverageModel
from verif.coverage.tally import Tally

LARGEST_K = 7
NOISES = (0.0, 3.0, 6.0, 12.0)

MOST_LOOPS = 1500
"""Decodings that are tried on the model before a bin counts as one that resists."""


def aim_at_loops(model: CoverageModel, missing: frozenset[int], seed: int) -> Attempt:
    """Return decodings of which the model says that they hit what is missing."""

    def candidates() -> Iterator[Candidate]:
        for request, speculative in _requests(seed):
            try:
                request.check()
            except Ga2Error:
                continue  # more than the context holds
            tally = Tally(model)
            if speculative:
                tally.loop("candidate", speculative_loop(request, _run(request.speculative())))
            else:
                tally.loop("candidate", plain_loop(request, _run(request.plain())))
            decoding = {"request": asdict(request), "speculative": speculative}
            yield Candidate(decoding, frozenset(tally.result().bins))

    choice = choose(candidates(), missing, MOST_LOOPS)
    job = Job("", "verilator", "decode.DecodeTest", {"decodings": choice.keys})
    return Attempt([job] if choice.keys else [], choice.tried, choice.promised)


def _requests(seed: int) -> Iterator[tuple[DecodeRequest, bool]]:
    """Yield decodings without end: first to either end of a block and to each of the rarer ends, for every k;
    then one model after another, with every draft and k."""
    targets = list(TARGET_KINDS)
    for k in range(LARGEST_K + 1):
        for speculative in (False, True):
            for tokens in (0, 1, 2 * (k + 1), 2 * k + 1, MAX_CONTEXT - 1 - k):
                yield DecodeRequest(target_seed=seed, k=k, tokens=tokens, scales="model"), speculative
            stop = tuple(range(VOCABULARY))
            request = DecodeRequest(target_seed=seed, k=k, tokens=4, scales="model", stop_tokens=stop)
            yield request, speculative
            for prompt in ((1, 2, 3), (0, 15, 15, 0, 7, 1)):
                request = DecodeRequest(target_seed=seed, k=k, tokens=2, scales="model", prompt=prompt)
                yield request, speculative
    for drawn in count(seed):
        for noise, draft, k in product(NOISES, DRAFT_KINDS, range(LARGEST_K + 1)):
            target = targets[k % len(targets)]
            request = DecodeRequest(target, drawn, k, draft, noise, drawn, 12, (drawn % VOCABULARY,), "model")
            yield request, True
            yield replace(request, scales="shape"), True


def _run(loop: HostLoop) -> DecodeRun:
    return run_on_model(loop, Machine()).run
