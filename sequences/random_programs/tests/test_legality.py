"""Every random program is legal, and breaking a rule on purpose shows."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.isa.checker import ProgramError
from refmodel.isa.instructions import Instruction, Load, Requantize, Store, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from sequences.random_programs import RandomProgram, load_weights, random_programs
from sequences.random_programs.legality import (
    defined_after,
    nothing_defined,
    require_legal,
    require_legal_series,
)
from sequences.random_programs.weights import SHORT_WEIGHTS
from sequences.stimulus import Stimulus

SERIES = 8


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 40), series=st.integers(0, 10_000))
def test_every_series_is_legal(seed: int, series: int) -> None:
    numbers = range(series * SERIES, (series + 1) * SERIES)
    require_legal_series(random_programs(seed, numbers))


def test_many_short_programs_are_legal(seed: int) -> None:
    weights = load_weights(SHORT_WEIGHTS)
    for series in range(25):
        numbers = range(series * SERIES, (series + 1) * SERIES)
        require_legal_series(random_programs(seed, numbers, weights))


def _program(*instructions: Instruction, **changes: object) -> RandomProgram:
    return replace(RandomProgram(1, 0, tuple(instructions)), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("instructions", "complaint"),
    [
        ([Load(0, 0, 20), Requantize(10, 0, 20, 1, 1)], "dst overlaps src partially"),
        ([Load(0, 0, 90), VectorAdd(10, 50, 20, 15)], "dst overlaps src2 partially"),
        ([Load(0, 0, 20), Store(0, 100, 21)], "reads scratchpad word 20, never written"),
        ([Load(0, 8190, 3)], "reads external word 8192"),
    ],
)
def test_broken_rules_are_refused(instructions: list[Instruction], complaint: str) -> None:
    with pytest.raises(ProgramError, match=complaint):
        require_legal(_program(*instructions), nothing_defined())


def test_random_programs_are_refused_once_an_overlap_is_put_into_them(seed: int) -> None:
    broken = 0
    for program in random_programs(seed, range(40)):
        pc = next((i for i, each in enumerate(program.instructions) if isinstance(each, Requantize)), None)
        if pc is None or pc >= len(program.decoded.instructions):
            continue
        good = program.instructions[pc]
        assert isinstance(good, Requantize)
        bad = replace(good, length=max(good.length, 2), dst=(good.src + 1) % SCRATCHPAD_WORDS)
        changed = replace(program, instructions=(*program.instructions[:pc], bad))
        with pytest.raises(ProgramError, match="partially"):
            require_legal(changed, ~nothing_defined())
        broken += 1
    assert broken > 5


def test_programs_that_use_what_others_left_are_refused_alone(seed: int) -> None:
    needy = 0
    for program in random_programs(seed, range(60)):
        if program.scratchpad is None and len(program.decoded.interface.reads):
            needy += 1
            with pytest.raises(ProgramError, match="never written"):
                require_legal(program, nothing_defined())
    assert needy > 5


LOADS = (Load(0, 0, 4), Load(100, 0, 6))
"""FETCH, ISSUE and len + 9 busy cycles each: the first ends in cycle 15, the second in cycle 32."""


@pytest.mark.parametrize(
    ("stimulus", "first", "second"),
    [
        (Stimulus(), True, True),
        (Stimulus(reset_cycle=15), False, False),  # busy for the last time in that cycle: not complete
        (Stimulus(reset_cycle=16), True, False),
        (Stimulus(reset_cycle=32), True, False),
        (Stimulus(reset_cycle=33), True, True),
        (Stimulus(reset_cycle=1000), True, True),
        (Stimulus(extra_start=(40, 40), reset_cycle=45), False, False),  # in the second pass: not told
        (Stimulus(extra_start=(40, 40)), True, True),
    ],
)
def test_what_a_reset_leaves_defined(stimulus: Stimulus, first: bool, second: bool) -> None:
    defined = defined_after(_program(*LOADS, stimulus=stimulus), nothing_defined())
    expected = np.zeros(SCRATCHPAD_WORDS, np.bool_)
    expected[0:4] = first
    expected[100:106] = second
    assert np.array_equal(defined, expected)


def test_the_instruction_that_a_reset_cuts_takes_away_what_was_defined() -> None:
    program = _program(*LOADS, stimulus=Stimulus(reset_cycle=20))
    defined = defined_after(program, ~nothing_defined())
    assert not defined[100:106].any()
    assert defined.sum() == SCRATCHPAD_WORDS - 6
