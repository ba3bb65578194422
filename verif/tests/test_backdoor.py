"""The user's scratchpad may be declared either way round."""

from pathlib import Path

import pytest

from verif.simulation.plain_path import REPOSITORY
from verif.tests.conftest import Simulate

CHIP = REPOSITORY / "regressions" / "tests" / "rtl" / "never_halts" / "ga2.sv"


@pytest.mark.parametrize("bounds", [pytest.param("4096", marks=pytest.mark.slow), "0:4095", "4095:0"])
def test_word_is_found_at_its_address(simulate: Simulate, rtl_directory: Path, bounds: str) -> None:
    declaration = "words[4096]"
    assert declaration in CHIP.read_text()
    chip = rtl_directory / "ga2.sv"
    chip.write_text(CHIP.read_text().replace(declaration, f"words[{bounds}]"))
    report = simulate("backdoor.BackdoorTest", rtl=str(chip), scratchpad="words")
    assert report.error == ""
    assert report.payload["by_handle"] == [0, 1, 4095]
    assert report.payload["by_backdoor"] == [0, 1, 4095]
