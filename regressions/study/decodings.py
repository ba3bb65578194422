"""Many decodings for one study, on the reference model or on the RTL; plain ones are run once for all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

from refmodel.errors import Ga2Error
from refmodel.machine.machine import Machine
from regressions.choices import MODEL
from regressions.decoding import outcome_on_model
from regressions.rtl import own_directory, run_test
from sequences.decode_request import DecodeRequest
from verif.failure.investigation import explanation_lines
from verif.loop_outcome import LoopOutcome

OnProgress = Callable[[int], None]
"""Called with the decodings that have ended since the last call."""


@dataclass(frozen=True)
class Decoding:
    """One request with both of its decodings."""

    request: DecodeRequest
    plain: LoopOutcome
    speculative: LoopOutcome

    @property
    def equal(self) -> bool:
        """Whether both decoded the same tokens."""
        return self.plain.tokens == self.speculative.tokens


@dataclass(frozen=True)
class Decodings:
    """What a study is made from."""

    simulator: str
    decodings: tuple[Decoding, ...]
    """In the order of their requests."""
    comparisons: int = 0
    """Values compared with the model's; 0 on the model itself."""
    mismatches: tuple[str, ...] = ()
    """What the bench found wrong; different tokens under `model` scales among it."""
    explanation: tuple[str, ...] = ()
    """Lines about the first divergence of each simulation that failed."""


def run_decodings(
    requests: Sequence[DecodeRequest], simulator: str, on_progress: OnProgress = lambda _: None
) -> Decodings:
    """Decode every request plainly and speculatively.

    Raises Ga2Error when there is no request or one that cannot be met, before anything runs; RtlFailure when
    the RTL does not get to the end.
    """
    if not requests:
        raise Ga2Error("there is nothing to decode")
    for request in requests:
        request.check()
    run = _on_model if simulator == MODEL else _on_rtl
    return run(requests, simulator, on_progress)


def _on_model(requests: Sequence[DecodeRequest], simulator: str, on_progress: OnProgress) -> Decodings:
    machine = Machine()
    plain: dict[DecodeRequest, LoopOutcome] = {}
    decodings = []
    for request in requests:
        key = replace(request, k=0, draft="bigram", noise=0.0, draft_seed=0)
        if key not in plain:
            plain[key] = outcome_on_model(request.plain(), machine)
        speculative = outcome_on_model(request.speculative(), machine)
        decodings.append(Decoding(request, plain[key], speculative))
        on_progress(1)
    different = [each for each in decodings if not each.equal and each.request.scales == "model"]
    mismatches = tuple(
        f"{each.request}: speculative tokens {each.speculative.tokens} differ from plain tokens "
        f"{each.plain.tokens}"
        for each in different
    )
    return Decodings(simulator, tuple(decodings), mismatches=mismatches)


def _on_rtl(requests: Sequence[DecodeRequest], simulator: str, on_progress: OnProgress) -> Decodings:
    """Run one simulation for each target and mode of scales, whose requests share their plain decodings."""
    groups: dict[tuple[object, ...], list[DecodeRequest]] = {}
    for request in requests:
        groups.setdefault((request.target, request.target_seed, request.scales), []).append(request)
    found: dict[DecodeRequest, Decoding] = {}
    comparisons = 0
    mismatches: list[str] = []
    explanation: list[str] = []
    directory = own_directory(simulator)
    for number, group in enumerate(groups.values()):
        decodings = [{"request": asdict(request), "speculative": True} for request in group]
        report = run_test(
            simulator, "decode.DecodeTest", {"decodings": decodings}, directory / f"study-{number}"
        )
        for request, outcomes in zip(group, report.payload["decodings"], strict=True):
            plain = LoopOutcome.from_json(outcomes["plain"])
            found[request] = Decoding(request, plain, LoopOutcome.from_json(outcomes["speculative"]))
        comparisons += report.comparisons
        mismatches += map(str, report.mismatches)
        explanation += explanation_lines(report)
        on_progress(len(group))
    if not mismatches:
        shutil.rmtree(directory)
    return Decodings(
        simulator,
        tuple(found[request] for request in requests),
        comparisons,
        tuple(mismatches),
        tuple(explanation),
    )
