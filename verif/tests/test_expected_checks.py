"""How often checks must look, against numbers worked out by hand from docs/isa.md."""

import pytest

from refmodel.isa.instructions import Load, Store
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.tests.helpers import program
from sequences.run_plan import plan_run
from sequences.stimulus import Stimulus
from verif.bfm.check import Check
from verif.scoreboard.expected_checks import expected_checks

BUNDLE = program(Load(0, 0, 3), Store(0, 20, 2))
"""The LD is FETCH in 1, ISSUE in 2 and busy in 3..14 (latency 8). The ST is FETCH in 15, ISSUE in 16 and busy
in 17..20. The HALT is FETCH in 21 and ISSUE in 22: halted from 23 on."""


def counts(**schedule: object) -> dict[Check, tuple[int, int | None]]:
    stimulus = Stimulus(**schedule)  # type: ignore[arg-type]
    decoded = decode_program(BUNDLE.code, BUNDLE.read_latency)
    assert decoded.counters.cyc_total == 22
    return dict(expected_checks(decoded, plan_run(22, stimulus), stimulus))


@pytest.mark.parametrize(
    ("cut", "words", "retired", "loads", "stores"),
    [
        (1, 0, 0, 0, 0),
        (2, 1, 0, 0, 0),
        (14, 1, 0, 0, 0),
        (15, 1, 1, 1, 0),
        (16, 2, 1, 1, 0),
        (20, 2, 1, 1, 0),
        (21, 2, 2, 1, 1),
        (22, 3, 2, 1, 1),
    ],
)
def test_a_pass_that_rst_cuts(cut: int, words: int, retired: int, loads: int, stores: int) -> None:
    found = counts(reset_cycle=cut)
    exact = {
        Check.KNOWN: cut,
        Check.FETCH_SAMPLES: words,
        Check.LEGAL_RUNS: retired,
        Check.LOAD_TIME: loads,
        Check.LOAD_REQUESTS: 3 * loads,
        Check.STORE_TIME: stores,
        Check.STORE_WRITES: 2 * stores,
        Check.HALT_STOPS: 0,
        Check.RESET_CLEARS: 1,
    }
    assert {check: found[check] for check in exact} == {check: (n, n) for check, n in exact.items()}


def test_halted_and_idle_cycles() -> None:
    """Two cycles before the start and two after the end are watched.

    The start held from 20 on meets the first halted cycle, that in 25 alone the third.
    """
    found = counts(extra_start=(20, 25))
    assert found[Check.START_LOST] == (3 + 2, 3 + 2)  # 20..22, and 24, 25 in the second pass
    assert found[Check.START_HELD] == (1, 1)  # in 23
    assert found[Check.HALTED_HOLDS] == (2, 4)
    assert found[Check.IDLE_HOLDS] == (0, 2)
    late = counts(extra_start=(25, 25))
    assert (late[Check.START_HELD], late[Check.HALTED_HOLDS]) == ((0, 0), (2 + 2, 2 + 4))


def test_two_resets_with_a_start_between_them() -> None:
    """rst in 5, 6 and 12, 13; start in 6 (lost under rst) to 9: FETCH in 8, idle in 7."""
    found = counts(
        reset_first=True, reset_cycle=5, reset_width=2, reset_gap=5, extra_start=(6, 9), idle_cycles=3
    )
    assert found[Check.RESET_WINS] == (1, 1)
    assert found[Check.START_LOST] == (2, 2)  # 8, 9
    assert found[Check.RESET_CLEARS] == (4 + 4, 4 + 4)
    assert found[Check.KNOWN] == (5 + 5, 5 + 5)  # 1..5, and 8..12
    assert found[Check.IDLE_HOLDS] == (4 + 4, 4 + 4)  # before the start; and 15..18
