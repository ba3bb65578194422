from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from regressions.tests.conftest import CommandLine
from regressions.tests.test_bad_input import assert_refused
from regressions.tests.timelines import EVERY_UNIT, EVERY_UNIT_CYCLES, product
from regressions.timeline.picture import COLOURS, figure_of, picture
from regressions.timeline.picture_format import PICTURE_FORMATS
from regressions.timeline.timeline import timeline_of
from sequences.bundle_file import save_bundle
from sequences.golden import GOLDEN_DIRECTORY, load_golden
from verif.simulation.plain_path import REPOSITORY

SOFTMAX = GOLDEN_DIRECTORY / "softmax.json"
MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF"}


def test_the_lanes_are_drawn_in_their_cycles() -> None:
    timeline = timeline_of(EVERY_UNIT, "every unit")
    above = figure_of(timeline).axes[0]
    bars = [artist for artist in above.collections if isinstance(artist, PolyCollection)]
    lanes = list(EVERY_UNIT_CYCLES)
    assert [label.get_text() for label in above.get_yticklabels()] == [lane.title for lane in lanes]
    for lane, artist in zip(lanes, bars, strict=True):
        extents = [path.get_extents() for path in artist.get_paths()]
        drawn = [(extent.x0, extent.x1) for extent in extents]
        assert drawn == [(span.first - 0.5, span.last + 0.5) for span in timeline.spans(lane)]
        assert np.allclose(artist.get_facecolor(), to_rgba(COLOURS[lane]))
    assert above.get_xlim() == (0.5, 146.5)


def test_the_bars_add_up_to_the_cycles_of_each_unit() -> None:
    below = figure_of(timeline_of(EVERY_UNIT, "every unit")).axes[1]
    bars = [artist for artist in below.patches if isinstance(artist, Rectangle)]
    for lane, cycles in EVERY_UNIT_CYCLES.items():
        widths = [bar.get_width() for bar in bars if bar.get_facecolor() == to_rgba(COLOURS[lane])]
        assert sum(widths) == cycles
    assert "no source map" in below.get_xlabel()


def test_the_bars_are_named_and_counted() -> None:
    below = figure_of(timeline_of(product(), "y")).axes[1]
    assert [label.get_text() for label in below.get_yticklabels()] == ["y", "w", "x", "HALT"]
    assert [text.get_text() for text in below.texts] == [
        "78   63.4 %",
        "29   23.6 %",
        "14   11.4 %",
        "2   1.6 %",
    ]
    assert below.get_xlabel() == "cycles by tensor"


def test_the_parts_of_a_bar_follow_each_other() -> None:
    below = figure_of(timeline_of(product(), "y")).axes[1]
    bars = [artist for artist in below.patches if isinstance(artist, Rectangle) and artist.get_width()]
    parts = sorted((bar.get_x(), bar.get_width()) for bar in bars if round(bar.get_y() + 0.36) == 0)
    assert parts == [(0, 8), (8, 8), (16, 54), (70, 8)]  # FETCH and ISSUE, ST, MM, RQ of y


def test_title_and_end_are_said() -> None:
    above = figure_of(timeline_of(load_golden("fault-after-work"), "K = 0")).axes[0]
    assert above.get_title(loc="left") == "K = 0"
    said = above.texts[0].get_text()
    assert said == "33 cycles, 2 instructions, faults at pc 2 in cycle 33: K is 0, legal is 1..64"


def test_long_names_and_titles_are_cut() -> None:
    timeline = timeline_of(product(), 200 * "t")
    subject = replace(timeline.works[0].subject, name=50 * "n")
    figure = figure_of(
        replace(timeline, works=(replace(timeline.works[0], subject=subject), *timeline.works[1:]))
    )
    assert figure.axes[0].get_title(loc="left") == 89 * "t" + "…"
    assert [label.get_text() for label in figure.axes[1].get_yticklabels()] == [
        "y",
        "w",
        27 * "n" + "…",
        "HALT",
    ]


@pytest.mark.parametrize("suffix", PICTURE_FORMATS)
def test_a_program_always_gives_the_same_picture(suffix: str) -> None:
    timeline = timeline_of(product(), "y")
    first, second = picture(timeline, suffix), picture(timeline, suffix)
    assert first == second
    assert first.startswith(MAGIC[suffix])


def test_the_user_s_own_style_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = timeline_of(product(), "y")
    usual = picture(timeline, "png")
    monkeypatch.setitem(mpl.rcParams, "axes.facecolor", "black")
    assert picture(timeline, "png") == usual


@pytest.mark.filterwarnings("error")
def test_no_name_stops_the_picture() -> None:
    timeline = timeline_of(product(), "$x_{1$ \N{CJK UNIFIED IDEOGRAPH-5B57} \x1b " + 50 * "long ")
    subject = replace(timeline.works[0].subject, name="$\\frac$" + 50 * "w")
    works = (replace(timeline.works[0], subject=subject), *timeline.works[1:])
    assert picture(replace(timeline, works=works), "png").startswith(MAGIC["png"])


def test_the_command_writes_the_picture(command_line: CommandLine, tmp_path: Path) -> None:
    save_bundle(tmp_path / "bundle.json", product())
    outcome = command_line("timeline", tmp_path / "bundle.json", "--png", tmp_path / "out.PNG")
    assert (outcome.status, outcome.error) == (0, "")
    assert (tmp_path / "out.PNG").read_bytes() == picture(timeline_of(product(), "bundle.json"), "png")


@pytest.mark.parametrize(
    ("file", "fragments"),
    [
        ("/no/such/directory/out.png", ["/no/such/directory", "make it first"]),
        ("/proc/out.png", ["/proc/out.png", "cannot be written"]),
        ("out.xyz", ["'.xyz'", ".png, .svg, .pdf"]),
        ("out", ["out: ", ".png, .svg, .pdf"]),
        ("out.jpeg.", [".png, .svg, .pdf"]),
    ],
)
def test_a_picture_that_cannot_be_is_refused(
    file: str, fragments: list[str], command_line: CommandLine, tmp_path: Path
) -> None:
    assert_refused(command_line("timeline", SOFTMAX, "--png", tmp_path / file), *fragments)
    assert not list(tmp_path.iterdir())


def test_a_directory_is_no_picture(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "out.png").mkdir()
    assert_refused(command_line("timeline", SOFTMAX, "--png", tmp_path / "out.png"), "out.png", "directory")
    assert [path.name for path in tmp_path.iterdir()] == ["out.png"]


def test_a_disk_that_fills_up_leaves_the_old_picture(tmp_path: Path) -> None:
    """No file may grow beyond 4 KiB here, so that the picture breaks off in the middle."""
    assert font_manager.fontManager.ttflist  # matplotlib has written its cache by now
    (tmp_path / "out.png").write_text("old")
    done = subprocess.run(
        [sys.executable, "-m", "regressions", "timeline", str(SOFTMAX), "--png", str(tmp_path / "out.png")],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: {tmp_path}/out.png: cannot be written: File too large\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_matplotlib_is_loaded_for_a_picture_alone() -> None:
    program = (
        "import sys\n"
        "from regressions.command_line import main\n"
        f"assert main(['timeline', {str(SOFTMAX)!r}]) == 0\n"
        "assert not [name for name in sys.modules if name.startswith('matplotlib')]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
