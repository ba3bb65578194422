"""Whatever one can get wrong with `study`, and its pictures."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from refmodel.errors import Ga2Error
from regressions.drawing import drawn
from regressions.study.anatomy import study_anatomy
from regressions.study.anatomy_picture import anatomy_figure
from regressions.study.blocks import study_blocks
from regressions.study.blocks_picture import blocks_figure
from regressions.study.cost_model import study_cost_model
from regressions.study.cost_model_picture import cost_model_figure
from regressions.study.decodings import Decodings, run_decodings
from regressions.study.equality import equality_requests, study_equality
from regressions.study.equality_picture import equality_figure
from regressions.study.serving import ServingStudy
from regressions.study.sweep import study_sweep, sweep_requests
from regressions.study.sweep_picture import spread, sweep_figure
from regressions.tests.conftest import CommandLine
from regressions.tests.test_bad_input import assert_refused
from sequences.decode_request import DecodeRequest


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        (["blocks", "--k", "0"], ["--k", "greater than or equal to 1"]),
        (["blocks", "--k", "40"], ["k (40)", "64"]),
        (["blocks", "--draft", "bigramm"], ["'bigramm'", "did you mean bigram?"]),
        (["blocks", "--target", "rendom"], ["'rendom'", "did you mean random?"]),
        (["blocks", "--scales", "modell"], ["'modell'", "did you mean model?"]),
        (["blocks", "--sim", "verilater"], ["'verilater'", "did you mean verilator?"]),
        (["blocks", "--noise", "nan"], ["--noise"]),
        (["blocks", "--start", "16"], ["token 16", "0..15"]),
        (["blocks", "--json", "/no/such/directory/file"], ["/no/such/directory"]),
        (["blocks", "--picture", "/no/such/directory/file.png"], ["/no/such/directory"]),
        (["blocks", "--picture", "/tmp/picture.gif"], ["'.gif'", ".png, .svg, .pdf"]),
        (["anatomy", "--rows", "0"], ["--rows", "greater than or equal to 1"]),
        (["anatomy", "--cached", "-1"], ["--cached", "greater than or equal to 0"]),
        (["anatomy", "--rows", "5", "--cached", "60"], ["5 rows over 60", "64"]),
        (["anatomy", "--target", "rendom"], ["'rendom'", "did you mean random?"]),
        (["sweep", "--tokens", "60"], ["tokens (60)", "64"]),
        (["sweep", "--tokens", "0"], ["--tokens", "greater than or equal to 1"]),
        (["sweep", "--sim", "icaros"], ["'icaros'", "did you mean icarus?"]),
        (["cost-model", "--draft-cost", "-1"], ["--draft-cost", "-1"]),
        (["cost-model", "--draft-cost", "inf"], ["--draft-cost", "inf"]),
        (["cost-model", "--scales", "rows"], ["'rows'", "shape, model"]),
        (["equality", "--targets", "0"], ["--targets", "greater than or equal to 1"]),
        (["equality", "--draft", "good"], ["'good'", "bigram, contrary, constant"]),
        (["equality", "--json", "/no/such/directory/file"], ["/no/such/directory"]),
        (["anatomie"], ["anatomie"]),
    ],
)
def test_a_wrong_argument_is_named(
    arguments: list[str], fragments: list[str], command_line: CommandLine
) -> None:
    assert_refused(command_line("study", *arguments), *fragments)


@pytest.mark.parametrize("option", ["--json", "--picture"])
def test_a_file_that_cannot_be_replaced_is_named_before_anything_runs(
    option: str, command_line: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "taken.png").mkdir()
    outcome = command_line("study", "blocks", "--tokens", 2, option, tmp_path / "taken.png")
    assert_refused(outcome, "taken.png")
    assert not outcome.output


def test_nothing_to_decode_is_no_study() -> None:
    with pytest.raises(Ga2Error, match="nothing to decode"):
        run_decodings([], "model")


@cache
def decoded(tokens: int = 8) -> Decodings:
    """Return two rows and two columns of a sweep under both modes."""
    return run_decodings(sweep_requests(DecodeRequest(tokens=tokens), noises=(0, 6), ks=(1, 3)), "model")


def draw_blocks() -> Figure:
    return blocks_figure(study_blocks(decoded().decodings[3], "model"))


def draw_anatomy() -> Figure:
    return anatomy_figure(study_anatomy(4, 4))


def draw_sweep() -> Figure:
    return sweep_figure(study_sweep(decoded()))


def draw_cost_model() -> Figure:
    one_mode = Decodings("model", decoded().decodings[:4])
    return cost_model_figure(study_cost_model(study_sweep(one_mode)), ServingStudy(0.05))


def draw_equality() -> Figure:
    requests = equality_requests(DecodeRequest(target="random", target_seed=3, tokens=24), 2)
    return equality_figure(study_equality(run_decodings(requests, "model")))


@pytest.mark.parametrize("draw", [draw_blocks, draw_anatomy, draw_sweep, draw_cost_model, draw_equality])
@pytest.mark.parametrize(("kind", "magic"), [("png", b"\x89PNG\r\n\x1a\n"), ("svg", b"<?xml")])
def test_every_picture_is_one_and_the_same_again(draw: Callable[[], Figure], kind: str, magic: bytes) -> None:
    first = drawn(draw, kind)
    assert first.startswith(magic)
    assert drawn(draw, kind) == first


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_the_heat_map_says_every_speedup_and_parts_gain_from_loss() -> None:
    figure = draw_sweep()
    study = study_sweep(decoded())
    shape = figure.axes[0]
    for noise in (0, 6):
        for k in (1, 3):
            assert f"{study.cell('shape', noise, k).speedup:.2f}x" in texts(shape)
    gains = [study.cell("shape", noise, k).speedup >= 1 for noise in (0, 6) for k in (1, 3)]
    assert gains == [True, True, False, False]
    segments = [tuple(map(tuple, line.get_xydata().tolist())) for line in shape.lines]  # type: ignore[union-attr]
    assert segments == [((-0.5, 0.5), (0.5, 0.5)), ((0.5, 0.5), (1.5, 0.5))]


def test_labels_of_curves_that_meet_are_apart() -> None:
    assert spread([0.7, 0.2, 0.7, 0.75], 0.1) == pytest.approx([0.7, 0.2, 0.8, 0.9])
    assert spread([3.0, 1.0, 2.0], 0.5) == [3.0, 1.0, 2.0]


def test_the_bars_of_the_anatomy_are_its_cycles() -> None:
    units, stages, _, *_ = draw_anatomy().axes
    assert sum(bar.get_width() for bar in units.patches) == 12_330 + 29_986  # type: ignore[attr-defined]
    assert "−7,143" in texts(stages)  # weights: three loads of 2,381 cycles are saved
    assert "+68" in texts(stages)  # weighted values, with a store more


@pytest.mark.parametrize(("tokens_wanted", "number", "correct"), [(8, 3, False), (7, 1, True)])
def test_each_token_has_a_cell_and_each_correction_its_wrong_guess(
    tokens_wanted: int, number: int, *, correct: bool
) -> None:
    """Noise 6 corrects; the perfect draft overshoots seven tokens by one, which has no cell."""
    study = study_blocks(decoded(tokens_wanted).decodings[number], "model")
    sources = blocks_figure(study).axes[2]
    corrections = [block for block in study.blocks if not block.all_accepted]
    assert (not corrections) == correct
    tokens = [*study.decoding.speculative.tokens, *(block.drafted[block.accepted] for block in corrections)]
    assert sorted(texts(sources)) == sorted(map(str, tokens))


def test_each_run_that_differs_is_crossed() -> None:
    requests = equality_requests(DecodeRequest(target="random", target_seed=3, tokens=24), 2)
    study = study_equality(run_decodings(requests, "model"))
    shape, model, *_ = draw_equality().axes
    crosses = [line for line in shape.lines if line.get_marker() == "x"]
    assert len(crosses) == 8 - study.modes[0].equal > 0
    assert not model.lines


def test_a_picture_is_written_where_asked(command_line: CommandLine, tmp_path: Path) -> None:
    outcome = command_line("study", "anatomy", "--picture", tmp_path / "anatomy.svg")
    assert outcome.status == 0
    assert (tmp_path / "anatomy.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    "arguments",
    [
        ["anatomy", "--target", "random", "--rows", "8", "--cached", "50"],
        ["equality", "--targets", "1", "--draft", "contrary", "--noise", "0.5", "--tokens", "8"],
    ],
)
def test_text_fits_80_columns_but_for_commands(arguments: list[str], command_line: CommandLine) -> None:
    outcome = command_line("study", *arguments)
    assert outcome.status == 0
    prose = [line for line in outcome.output.splitlines() if "-m regressions decode --" not in line]
    assert max(len(line.rstrip()) for line in prose) <= 80
