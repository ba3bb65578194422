"""`study`: what speculation does, block by block, instruction by instruction, and over many decodings."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from refmodel.errors import Ga2Error
from refmodel.language.draft import DRAFT_KINDS, DraftKind
from refmodel.language.programs import ScaleMode
from refmodel.language.target import TARGET_KINDS
from regressions.choices import MODEL, SIMULATORS, one_of
from regressions.commands.decode import SCALES
from regressions.exit_status import ExitStatus
from regressions.failure_lines import SHOWN_IN_ALL, capped, shown_path
from regressions.options import JsonOption, SimulatorOption, TargetSeedOption, seed_option
from regressions.published.table import Figure
from regressions.rtl import RtlFailure, own_directory
from regressions.study.anatomy import study_anatomy
from regressions.study.anatomy_text import print_anatomy
from regressions.study.blocks import study_blocks
from regressions.study.blocks_text import print_blocks
from regressions.study.cost_model import study_cost_model
from regressions.study.cost_model_text import print_cost_model, print_serving
from regressions.study.decodings import Decodings, run_decodings
from regressions.study.equality import equality_requests, study_equality
from regressions.study.equality_text import print_equality
from regressions.study.serving import USUAL_DRAFT_COST, ServingStudy
from regressions.study.sweep import study_sweep, sweep_requests
from regressions.study.sweep_text import print_sweep
from regressions.study.wording import published_lines
from regressions.terminal import Terminal, show
from regressions.timeline.picture_format import picture_format, require_picture_path
from sequences.decode_request import DecodeRequest
from sequences.whole_file import discard_old, write_bytes, write_json

app = typer.Typer(
    help="What speculation does and what it is worth: as text, JSON and picture.", no_args_is_help=True
)

COLUMNS = 80
"""Of text that goes to no terminal; commands and tables are never broken."""

TargetOption = Annotated[str, typer.Option(help="structured, random or sharp.")]
KOption = Annotated[int, typer.Option("--k", help="Guesses a block.", min=1)]
DraftOption = Annotated[str, typer.Option(help="bigram, contrary or constant.")]
NoiseOption = Annotated[float, typer.Option(help="Blurs the draft; 0 leaves it as it is.")]
TokensOption = Annotated[int, typer.Option(help="Tokens to decode.", min=1)]
StartOption = Annotated[int, typer.Option(help="The token to start from.")]
ScalesOption = Annotated[str, typer.Option(help="How scales are planned: shape or model.")]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        help="Draw a picture too: .png, .svg or .pdf.",
        metavar="FILE",
        callback=require_picture_path,
    ),
]


@app.command("blocks")
def blocks_command(
    target: TargetOption = "random",
    target_seed: TargetSeedOption = 1,
    k: KOption = 3,
    draft: DraftOption = "bigram",
    noise: NoiseOption = 0.0,
    tokens: TokensOption = 32,
    start: StartOption = 0,
    scales: ScalesOption = "shape",
    sim: SimulatorOption = MODEL,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> ExitStatus:
    """Follow one decoding block by block: guesses, what stands, cycles, speedup so far."""
    request = _request(target, target_seed, tokens, k=k, draft=draft, noise=noise, start=start, scales=scales)
    decodings = _decoded([request], sim, json, picture)
    study = study_blocks(decodings.decodings[0], sim)
    with _report(study.to_json(), study.figures, json) as console:
        print_blocks(study, console)
    if picture is not None:
        from regressions.study.blocks_picture import blocks_figure  # it loads matplotlib

        _draw(picture, lambda: blocks_figure(study))
    return _status(study.figures, decodings)


@app.command("anatomy")
def anatomy_command(
    rows: Annotated[int, typer.Option(help="Rows of the block: k + 1.", min=1)] = 4,
    cached: Annotated[int, typer.Option(help="Rows in the cache before it.", min=0)] = 4,
    target: TargetOption = "structured",
    target_seed: TargetSeedOption = 1,
    scales: ScalesOption = "shape",
    json: JsonOption = None,
    picture: PictureOption = None,
) -> ExitStatus:
    """Take a verifier block apart beside the plain steps that it stands for."""
    one_of("--target", target, TARGET_KINDS)
    mode = cast("ScaleMode", one_of("--scales", scales, SCALES))
    study = study_anatomy(cached, rows, target, target_seed, mode)
    with _report(study.to_json(), study.figures, json) as console:
        print_anatomy(study, console)
    if picture is not None:
        from regressions.study.anatomy_picture import anatomy_figure

        _draw(picture, lambda: anatomy_figure(study))
    return _status(study.figures)


@app.command("sweep")
def sweep_command(
    target: TargetOption = "structured",
    target_seed: TargetSeedOption = 1,
    tokens: TokensOption = 32,
    sim: SimulatorOption = MODEL,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> ExitStatus:
    """Sweep draft quality and k under both ways to plan scales: 25 cells each."""
    requests = sweep_requests(_request(target, target_seed, tokens))
    decodings = _decoded(requests, sim, json, picture)
    study = study_sweep(decodings)
    with _report(study.to_json(), study.figures, json) as console:
        print_sweep(study, console)
    if picture is not None:
        from regressions.study.sweep_picture import sweep_figure

        _draw(picture, lambda: sweep_figure(study))
    return _status(study.figures, decodings)


@app.command("cost-model")
def cost_model_command(
    target: TargetOption = "structured",
    target_seed: TargetSeedOption = 1,
    tokens: TokensOption = 32,
    scales: ScalesOption = "shape",
    draft_cost: Annotated[
        float, typer.Option(help="Serving: a draft step in plain steps.")
    ] = USUAL_DRAFT_COST,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> ExitStatus:
    """Hold the cost model against the measured sweep, and do the serving arithmetic."""
    if not (math.isfinite(draft_cost) and draft_cost >= 0):
        raise Ga2Error(f"--draft-cost: {draft_cost} is not a number from 0 on")
    request = _request(target, target_seed, tokens, scales=scales)
    decodings = _decoded(sweep_requests(request, (request.scales,)), MODEL, json, picture)
    study, serving = study_cost_model(study_sweep(decodings)), ServingStudy(draft_cost)
    with _report({**study.to_json(), "serving": serving.to_json()}, study.figures, json) as console:
        print_cost_model(study, console)
        print_serving(serving, console)
    if picture is not None:
        from regressions.study.cost_model_picture import cost_model_figure

        _draw(picture, lambda: cost_model_figure(study, serving))
    return _status(study.figures, decodings)


@app.command("equality")
def equality_command(
    targets: Annotated[int, typer.Option(help="Random targets, by consecutive seeds.", min=1)] = 60,
    seed: Annotated[int, seed_option("Seed of the first target.")] = 1,
    k: KOption = 3,
    draft: DraftOption = "bigram",
    noise: NoiseOption = 0.0,
    tokens: TokensOption = 24,
    sim: SimulatorOption = MODEL,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> ExitStatus:
    """Compare speculative with plain tokens over many random targets under both ways to plan scales.

    One scale for the whole model promises equal tokens; scales by program shape do not.
    """
    request = _request("random", seed, tokens, k=k, draft=draft, noise=noise)
    decodings = _decoded(equality_requests(request, targets), sim, json, picture)
    study = study_equality(decodings)
    with _report(study.to_json(), (), json) as console:
        print_equality(study, console)
    if picture is not None:
        from regressions.study.equality_picture import equality_figure

        _draw(picture, lambda: equality_figure(study))
    return _status((), decodings)


def _request(
    target: str,
    target_seed: int,
    tokens: int,
    *,
    k: int = 3,
    draft: str = "bigram",
    noise: float = 0.0,
    start: int = 0,
    scales: str = "shape",
) -> DecodeRequest:
    if not (math.isfinite(noise) and noise >= 0):
        raise Ga2Error(f"--noise: {noise} is not a number from 0 on")
    return DecodeRequest(
        target=one_of("--target", target, TARGET_KINDS),
        target_seed=target_seed,
        k=k,
        draft=cast("DraftKind", one_of("--draft", draft, DRAFT_KINDS)),
        noise=noise,
        tokens=tokens,
        prompt=(start,),
        scales=cast("ScaleMode", one_of("--scales", scales, SCALES)),
    )


def _decoded(
    requests: Sequence[DecodeRequest], sim: str, json: Path | None, picture: Path | None
) -> Decodings:
    """Decode, with a bar on the terminal, and print what is wrong; RtlFailure if that is on the RTL."""
    one_of("--sim", sim, SIMULATORS)
    discard_old(json, picture)
    columns = (TextColumn("decoding"), BarColumn(), TextColumn("{task.completed} of {task.total}"))
    console = Terminal(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("decoding", total=len(requests))
        decodings = run_decodings(requests, sim, lambda more: progress.advance(task, more))
    lines = [f"mismatch: {mismatch}" for mismatch in decodings.mismatches]
    whole = "the file of --json" if sim == MODEL else shown_path(own_directory(sim))
    for line in [*capped(lines, SHOWN_IN_ALL, whole), *decodings.explanation]:
        show(line, file=sys.stderr)
    if lines and sim != MODEL:
        raise RtlFailure(f"{sim}: no figures of RTL that is wrong; all that was found is in {whole}")
    return decodings


@contextmanager
def _report(content: dict[str, Any], figures: Sequence[Figure], json: Path | None) -> Iterator[Console]:
    """Write the JSON file, collect what is printed, and end it with the verdict on published figures."""
    if json is not None:
        write_json(json, content)
    console = Terminal(width=None if sys.stdout.isatty() else COLUMNS)
    with console.capture() as text:
        yield console
        for line in published_lines(figures):
            console.print(line, soft_wrap=True)
    sys.stdout.write(text.get())  # with the styles of the terminal


def _draw(path: Path, make_figure: Callable[[], Any]) -> None:
    from regressions.drawing import drawn

    write_bytes(path, drawn(make_figure, picture_format(path)))


def _status(figures: Sequence[Figure], decodings: Decodings | None = None) -> ExitStatus:
    wrong = decodings is not None and decodings.mismatches
    return ExitStatus.MISMATCH if wrong or not all(each.good for each in figures) else ExitStatus.GOOD
