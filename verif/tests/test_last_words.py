"""Which line of a broken simulation's output is shown."""

import pytest

from verif.simulation.simulation_log import last_words

PYTHON = "  5245.00ns WARNING  cocotb.regression\n        cocotb.regression.SimFailure: it ended early\n"
ICARUS = "FATAL: ga2.sv:65: ga2: sum law broken\n       Time: 5245000\n"
VERILATOR_CODE = "%Error-ASSIGNIN: ga2.sv:7:3: Assigning to input variable\n"
VERILATOR = "[5245000] %Fatal: ga2.sv:65: Assertion failed\n"


@pytest.mark.parametrize(
    ("output", "says"),
    [
        (ICARUS + PYTHON, "FATAL: ga2.sv:65: ga2: sum law broken"),
        (PYTHON + ICARUS, "FATAL: ga2.sv:65: ga2: sum law broken"),
        (PYTHON + VERILATOR, "[5245000] %Fatal: ga2.sv:65: Assertion failed"),
        (PYTHON + VERILATOR_CODE, "%Error-ASSIGNIN: ga2.sv:7:3: Assigning to input variable"),
        (PYTHON, "cocotb.regression.SimFailure: it ended early"),
        ("all is well\n", None),
    ],
)
def test_the_simulator_speaks_before_python(output: str, says: str | None) -> None:
    assert last_words(output) == says
