"""`decode`: tokens out of a language model, plainly and speculatively."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Annotated, cast

import typer

from refmodel.errors import Ga2Error
from refmodel.language.draft import DRAFT_KINDS, DraftKind
from refmodel.language.programs import ScaleMode
from refmodel.language.target import TARGET_KINDS
from regressions.choices import MODEL, SIMULATORS, one_of
from regressions.decoding import DecodeReport, decode_request
from regressions.exit_status import ExitStatus
from regressions.failure_lines import SHOWN_IN_ALL, capped, shown_path
from regressions.options import JsonOption, SimulatorOption, TargetSeedOption, seed_option
from regressions.patience import working
from regressions.rtl import kept_report
from regressions.terminal import show
from sequences.decode_request import DecodeRequest
from sequences.whole_file import discard_old, write_json
from verif.simulation.sim_make import not_compared

SCALES = ("shape", "model")


def decode(
    target: Annotated[str, typer.Option(help="structured, random or sharp.")] = "structured",
    target_seed: TargetSeedOption = 1,
    k: Annotated[int, typer.Option("--k", help="Guesses a block.", min=0)] = 3,
    draft: Annotated[str, typer.Option(help="bigram, contrary or constant.")] = "bigram",
    noise: Annotated[float, typer.Option(help="Blurs the draft; 0 leaves it as it is.")] = 0.0,
    draft_seed: Annotated[int, seed_option("Seed of that blur.")] = 1,
    tokens: Annotated[int, typer.Option(help="Tokens to decode.", min=1)] = 32,
    start: Annotated[int, typer.Option(help="The token to start from.")] = 0,
    prompt: Annotated[
        str | None, typer.Option(help="Several tokens instead of --start, with commas.", metavar="T,T,…")
    ] = None,
    stop: Annotated[
        str | None, typer.Option(help="Tokens that end it early, with commas.", metavar="T,T,…")
    ] = None,
    scales: Annotated[
        str, typer.Option(help="Plan scales for each program shape, or once for the whole model.")
    ] = "shape",
    sim: SimulatorOption = "model",
    plain: Annotated[bool, typer.Option("--plain", help="Decode with the target alone.")] = False,
    json: JsonOption = None,
    save_bundles: Annotated[
        Path | None, typer.Option(help="Write every program as a bundle here.", metavar="DIR")
    ] = None,
) -> ExitStatus:
    """Decode tokens plainly and speculatively, and compare the two."""
    if not (math.isfinite(noise) and noise >= 0):
        raise Ga2Error(f"--noise: {noise} is not a number from 0 on")
    request = DecodeRequest(
        target=one_of("--target", target, TARGET_KINDS),
        target_seed=target_seed,
        k=k,
        draft=cast("DraftKind", one_of("--draft", draft, DRAFT_KINDS)),
        noise=noise,
        draft_seed=draft_seed,
        tokens=tokens,
        prompt=(start,) if prompt is None else _tokens("--prompt", prompt),
        scales=cast("ScaleMode", one_of("--scales", scales, SCALES)),
        stop_tokens=() if stop is None else _tokens("--stop", stop),
    )
    one_of("--sim", sim, SIMULATORS)
    discard_old(json)
    with working("decoding", sim):
        report = decode_request(request, sim, plain_only=plain, bundles=save_bundles)
    if json is not None:
        write_json(json, report.to_json())
    _show(report, sim)
    for line in not_compared() if sim != MODEL else ():
        show(line)
    return ExitStatus.MISMATCH if report.mismatches else ExitStatus.GOOD


def _tokens(option: str, text: str) -> tuple[int, ...]:
    try:
        return tuple(int(token) for token in text.split(","))
    except ValueError:
        raise Ga2Error(f"{option}: {text!r} is not a list of token numbers such as 3,8,1") from None


def _show(report: DecodeReport, sim: str) -> None:
    plain, speculative = report.plain, report.speculative
    show(f"plain        {_line(plain.tokens)}  {plain.counters.cyc_total:,} cycles")
    if speculative is not None:
        show(
            f"speculative  {_line(speculative.tokens)}  {speculative.counters.cyc_total:,} cycles, "
            f"{speculative.accepted}/{speculative.proposed} accepted in {speculative.blocks} blocks, "
            f"speedup {_speedup(report)}"
        )
    for warning in report.warnings:
        show(f"warning: {warning}", file=sys.stderr)
    mismatches = [f"mismatch: {mismatch}" for mismatch in report.mismatches]
    for line in [*capped(mismatches, SHOWN_IN_ALL, shown_path(kept_report(sim))), *report.explanation]:
        show(line, file=sys.stderr)


def _speedup(report: DecodeReport) -> str:
    return "unknown" if report.speedup is None else f"{report.speedup:.2f}"


def _line(tokens: tuple[int, ...]) -> str:
    return " ".join(map(str, tokens))
