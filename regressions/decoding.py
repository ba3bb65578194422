"""Decoding on the reference model or on the RTL, and the report of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from refmodel.machine.machine import Machine
from refmodel.machine.result import RunResult
from refmodel.speculative.host_loop import HostLoop
from refmodel.speculative.model_runner import run_on_model
from refmodel.speculative.step import Step
from regressions.choices import MODEL
from regressions.rtl import run_test
from sequences.bundle_saver import BundleSaver
from sequences.decode_request import DecodeRequest
from sequences.program_record import ProgramRecord, record_program
from verif.failure.investigation import explanation_lines
from verif.loop_outcome import LoopOutcome


@dataclass(frozen=True)
class DecodeReport:
    """A plain decoding and, unless only that was wanted, the speculative one beside it."""

    simulator: str
    plain: LoopOutcome
    speculative: LoopOutcome | None
    comparisons: int = 0
    """Values compared with the model's; 0 on the model itself."""
    mismatches: tuple[str, ...] = ()
    """Everything that makes the decoding fail."""
    warnings: tuple[str, ...] = ()
    explanation: tuple[str, ...] = ()
    """Lines about the first divergence, and how to see it again."""

    @property
    def equal(self) -> bool | None:
        """Whether both decoded the same tokens; None without a speculative one."""
        return None if self.speculative is None else self.speculative.tokens == self.plain.tokens

    @property
    def speedup(self) -> float | None:
        """Cycles of the plain decoding over those of the speculative one; None without the latter.

        None, too, for RTL that counts no cycles.
        """
        if self.speculative is None or self.speculative.counters.cyc_total == 0:
            return None
        return self.plain.counters.cyc_total / self.speculative.counters.cyc_total

    def to_json(self) -> dict[str, Any]:
        """Return the report as docs/bench.md describes it: what only speculation has is null without it."""
        speculative, main = self.speculative, self.speculative or self.plain
        return {
            "tokens": list(main.tokens),
            "plain_tokens": list(self.plain.tokens),
            "equal": self.equal,
            "accepted": speculative and speculative.accepted,
            "proposed": speculative and speculative.proposed,
            "blocks": speculative and speculative.blocks,
            "programs": main.programs,
            "cycles": main.counters.cyc_total,
            "plain_cycles": self.plain.counters.cyc_total,
            "speedup": self.speedup,
            "counters": asdict(main.counters),
            "comparisons": self.comparisons,
            "sim": self.simulator,
        }


def decode_request(
    request: DecodeRequest, simulator: str, *, plain_only: bool = False, bundles: Path | None = None
) -> DecodeReport:
    """Decode on the model or on the RTL, and write every program to the directory `bundles` if one is given.

    With `model` scales tokens that differ from the plain ones are a mismatch, with `shape` scales a warning.
    Raises Ga2Error when the request cannot be met, RtlFailure when the RTL does not get to the end, OSError
    when the directory cannot be made.
    """
    (replace(request, k=0) if plain_only else request).check()
    if bundles is not None:
        bundles.mkdir(parents=True, exist_ok=True)
    if simulator == MODEL:
        return _decode_on_model(request, plain_only, bundles)
    return _decode_on_rtl(request, simulator, plain_only, bundles)


def _decode_on_model(request: DecodeRequest, plain_only: bool, bundles: Path | None) -> DecodeReport:
    machine = Machine()
    plain = outcome_on_model(request.plain(), machine, BundleSaver(bundles, "plain").save)
    if plain_only:
        return DecodeReport(MODEL, plain, None)
    speculative = outcome_on_model(request.speculative(), machine, BundleSaver(bundles, "speculative").save)
    report = DecodeReport(MODEL, plain, speculative)
    if report.equal:
        return report
    difference = f"speculative tokens {speculative.tokens} differ from plain tokens {plain.tokens}"
    if request.scales == "model":
        return replace(report, mismatches=(difference,))
    return replace(report, warnings=(f"{difference}, as scales planned for each shape allow",))


def outcome_on_model(
    loop: HostLoop, machine: Machine, keep: Callable[[Step], None] = lambda _: None
) -> LoopOutcome:
    """Run a host loop on the reference machine; `keep` is called with each of its steps."""
    records: list[ProgramRecord] = []

    def observe(step: Step, result: RunResult) -> None:
        records.append(record_program(step, result))
        keep(step)

    began = time.perf_counter()
    run = run_on_model(loop, machine, observe).run
    return LoopOutcome.of(run, tuple(records), 0, (), time.perf_counter() - began)


def _decode_on_rtl(
    request: DecodeRequest, simulator: str, plain_only: bool, bundles: Path | None
) -> DecodeReport:
    decoding = {"request": asdict(request), "speculative": not plain_only}
    directory = None if bundles is None else str(bundles.resolve())
    report = run_test(simulator, "decode.DecodeTest", {"decodings": [decoding], "bundles": directory})
    outcomes = report.payload["decodings"][0]
    return DecodeReport(
        simulator,
        LoopOutcome.from_json(outcomes["plain"]),
        None if plain_only else LoopOutcome.from_json(outcomes["speculative"]),
        report.comparisons,
        tuple(map(str, report.mismatches)),
        tuple(report.warnings),
        tuple(explanation_lines(report)),
    )
