"""`figures` proposes the published figures of a changed model, and changes nothing itself."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Requantize
from refmodel.machine.tests.cycle_law import slower_by
from refmodel.published import FIGURES_FILE, figures
from regressions.command_line import main
from regressions.published.proposal import outside_differences
from sequences.golden import golden_names, load_golden


@pytest.fixture
def slower_requantizer() -> Iterator[None]:
    """RQ takes one cycle more in the cycle law."""
    with slower_by(1, Requantize):
        yield


@pytest.mark.slow  # refmodel/published/tests/test_figures.py compares the same figures
def test_an_unchanged_model_proposes_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["figures"]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "reproduces every published figure and golden bundle" in err


@pytest.mark.usefixtures("slower_requantizer")
def test_a_changed_law_is_proposed_as_a_patch(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The verifier block takes as many cycles more as it has RQ, 23, all of them of the vector unit."""
    before = FIGURES_FILE.read_bytes()
    assert main(["figures"]) == 1
    out, err = capfd.readouterr()
    assert FIGURES_FILE.read_bytes() == before
    patched = tmp_path / "refmodel" / "published" / "figures.json"
    patched.parent.mkdir(parents=True)
    patched.write_bytes(before)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=out, text=True, check=True)
    text = patched.read_text(encoding="utf-8")
    published = figures()["verifier"]
    for name in ("cyc_total", "cyc_vec"):
        assert f'"{name}": {published[name] + published["ops"]["RQ"]},' in text
    for name in ("cyc_mm", "cyc_dma", "n_inst", "words_loaded"):
        assert f'"{name}": {published[name]}' in text
    assert err.count("not proposed, computed outside this project: golden/") == 3


@pytest.mark.usefixtures("slower_requantizer")
def test_golden_bundles_with_the_instruction_are_listed() -> None:
    with_requantizer = [
        name
        for name in golden_names()
        if any(isinstance(decode(word), Requantize) for word in load_golden(name).code)
    ]
    assert with_requantizer
    listed = [line.partition(".json: ")[0] for line in outside_differences()]
    assert listed == [f"golden/{name}" for name in with_requantizer]
