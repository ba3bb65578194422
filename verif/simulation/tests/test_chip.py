"""What the variables of sim.mk that name the scratchpad's ports come to."""

import pytest

from verif.simulation.chip import Chip

WRITES = "scratchpad writes not compared: SCRATCHPAD_WRITE names no write port"
READS = "scratchpad reads not compared: SCRATCHPAD_READ names no read enable"


@pytest.mark.parametrize(
    ("chip", "printed"),
    [
        (Chip(), ()),
        (Chip(rtl="files.f"), ()),
        (Chip(scratchpad="u.mem"), (WRITES, READS)),
        (Chip(scratchpad_write="u.we, u.wa, u.wd"), (READS,)),
        (Chip(scratchpad="u.mem", scratchpad_write="u.we,u.wa,u.wd", scratchpad_read="u.re"), ()),
        (Chip(scratchpad_read="none"), (READS,)),
        (Chip(scratchpad_write="none"), (WRITES, READS)),
    ],
)
def test_ports_without_a_name_are_printed(chip: Chip, printed: tuple[str, ...]) -> None:
    assert chip.not_compared == printed
