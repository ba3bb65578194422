"""Decoding on the reference model or on the RTL, and the report of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters
from refmodel.speculative.host_loop import HostLoop
from refmodel.speculative.model_runner import run_on_model
from regressions.choices import MODEL
from sequences.bundle_saver import BundleSaver
from sequences.decode_request import DecodeRequest


@dataclass(frozen=True)
class LoopReport:
    """One host loop, run to its end."""

    tokens: tuple[int, ...]
    accepted: int
    proposed: int
    blocks: int
    programs: int
    counters: Counters
    """Sums over all programs."""
    comparisons: int = 0
    """Values that were compared with the model's; 0 on the model itself."""
    mismatches: tuple[str, ...] = ()


@dataclass(frozen=True)
class DecodeReport:
    """A plain decoding and, unless only that was wanted, the speculative one beside it."""

    request: DecodeRequest
    simulator: str
    plain: LoopReport
    speculative: LoopReport | None

    @property
    def equal(self) -> bool | None:
        """Whether both decoded the same tokens; None without a speculative one."""
        return None if self.speculative is None else self.speculative.tokens == self.plain.tokens

    @property
    def equality_promised(self) -> bool:
        """With `model` scales equality is an invariant; with `shape` scales it is measured."""
        return self.request.scales == "model"

    @property
    def speedup(self) -> float | None:
        """Cycles of the plain decoding over those of the speculative one; None without the latter."""
        if self.speculative is None:
            return None
        return self.plain.counters.cyc_total / self.speculative.counters.cyc_total

    @property
    def mismatches(self) -> tuple[str, ...]:
        """Everything that makes the decoding fail."""
        found = self.plain.mismatches + (self.speculative.mismatches if self.speculative else ())
        if self.equal is False and self.equality_promised:
            found += ("speculative tokens differ from plain tokens, which `model` scales rule out",)
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the report as docs/bench.md describes it: what only speculation has is null without it."""
        main = self.speculative or self.plain
        speculative = self.speculative is not None
        return {
            "tokens": list(main.tokens),
            "plain_tokens": list(self.plain.tokens),
            "equal": self.equal,
            "accepted": main.accepted if speculative else None,
            "proposed": main.proposed if speculative else None,
            "blocks": main.blocks if speculative else None,
            "programs": main.programs,
            "cycles": main.counters.cyc_total,
            "plain_cycles": self.plain.counters.cyc_total,
            "speedup": self.speedup,
            "counters": asdict(main.counters),
            "comparisons": self.plain.comparisons + (main.comparisons if speculative else 0),
            "sim": self.simulator,
        }


def decode_request(
    request: DecodeRequest, simulator: str, *, plain_only: bool = False, bundles: Path | None = None
) -> DecodeReport:
    """Decode on the model or on the RTL, and write every program to the directory `bundles` if one is given.

    Raises Ga2Error when the request cannot be met, OSError when the directory cannot be made.
    """
    (replace(request, k=0) if plain_only else request).check()
    if bundles is not None:
        bundles.mkdir(parents=True, exist_ok=True)
    if simulator == MODEL:
        return _decode_on_model(request, plain_only, bundles)
    raise NotImplementedError


def _decode_on_model(request: DecodeRequest, plain_only: bool, bundles: Path | None) -> DecodeReport:
    machine = Machine()
    plain = _run_on_model(request.plain(), machine, BundleSaver(bundles, "plain"))
    if plain_only:
        return DecodeReport(request, MODEL, plain, None)
    speculative = _run_on_model(request.speculative(), machine, BundleSaver(bundles, "speculative"))
    return DecodeReport(request, MODEL, plain, speculative)


def _run_on_model(loop: HostLoop, machine: Machine, saver: BundleSaver) -> LoopReport:
    outcome = run_on_model(loop, machine, saver.save)
    run = outcome.run
    return LoopReport(run.tokens, run.accepted, run.proposed, run.blocks, run.programs, outcome.counters)
