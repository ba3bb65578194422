"""A program depends on its seed, its number and the weights, and on nothing else."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import ArgMax, Halt, Load, MatMul, Requantize, Softmax, Store, VectorAdd
from refmodel.machine.tests.cycle_law import slower_by
from sequences.random_programs import (
    RandomProgram,
    nominal_cycles,
    random_program,
    random_programs,
    with_predecessors,
)
from sequences.stimulus import Stimulus

REPOSITORY = Path(__file__).parents[3]
COUNT = 24

PROGRAMS_OF_SEED_1 = "cd531d3cc4488fc6fa58e5dd4dca0ba1ccf4c6c913d806edc7ffd256eba7ff3d"
WITH_STIMULI = "e307f94e7e1c0a4040ac81d1b82faa77ec4e8ed8c7431e7bc8fcc1f71baaf6bd"
"""Stimuli have cycles in them, so this one follows the cycle law."""


def digest(programs: Iterable[RandomProgram], *, stimuli: bool = True) -> str:
    """Return the hash of everything that reaches the simulator, or of the programs without their stimuli."""
    result = hashlib.sha256()
    for program in programs:
        bundle = program.bundle()
        for words in (bundle.ext, bundle.scratchpad):
            result.update(b"none" if words is None else words.astype("<u4").tobytes())
        for word in bundle.code:
            result.update(word.to_bytes(16, "little"))
        stimulus = program.stimulus if stimuli else None
        result.update(repr((bundle.ext_words, bundle.read_latency, stimulus)).encode())
    return result.hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_other_processes_make_the_same_programs(seed: int, hash_seed: str) -> None:
    script = (
        "from sequences.random_programs import random_programs\n"
        "from sequences.random_programs.tests.test_determinism import digest\n"
        f"print(digest(random_programs({seed}, range({COUNT}))))"
    )
    process = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == digest(random_programs(seed, range(COUNT)))


def test_every_machine_makes_these_programs() -> None:
    """A recorded seed must mean the same program on another machine, and with another numpy.

    A change of the generator or of the default weights changes the programs of every seed: record both hashes
    then, and drop regression seeds, which name other programs from then on.
    """
    assert digest(random_programs(1, range(COUNT)), stimuli=False) == PROGRAMS_OF_SEED_1


def test_every_machine_makes_these_stimuli() -> None:
    """After a change of the cycle law the first hash holds, and this one is recorded again."""
    assert digest(random_programs(1, range(COUNT))) == WITH_STIMULI


def test_programs_do_not_depend_on_the_cycle_law(seed: int) -> None:
    before = list(random_programs(seed, range(120)))
    with slower_by(3, Load, Store, MatMul, Requantize, Softmax, VectorAdd, ArgMax):
        after = list(random_programs(seed, range(120)))
    assert digest(after, stimuli=False) == digest(before, stimuli=False)
    pairs = [(one.stimulus, two.stimulus) for one, two in zip(before, after, strict=True)]
    assert [cycle_free(one) for one, _ in pairs] == [cycle_free(two) for _, two in pairs]
    assert any(one != two for one, two in pairs)


def cycle_free(stimulus: Stimulus) -> tuple[object, ...]:
    """Return what of a stimulus has no cycles of the chip in it."""
    resets, starts = stimulus.reset_cycle is not None, stimulus.extra_start is not None
    return stimulus.reset_first, resets, starts, stimulus.response_delays


def test_a_timetable_keeps_to_the_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    """LD of 4 words at latency 8 has 15 nominal cycles (1..15), RQ of 3 has 7 (16..22), HALT 2 (23, 24).

    RQ takes two cycles less in this law and LD one more: 1..16, 17..21 and 22, 23.
    """
    law = {Load: 14, Requantize: 3, Halt: 0}
    monkeypatch.setattr(nominal_cycles, "busy_cycles", lambda word, _: law[type(word)])
    timetable = nominal_cycles.Timetable([Load(0, 0, 4), Requantize(0, 0, 3, 1, 1)], 8)
    assert timetable.nominal_total == 24
    assert [timetable.actual(cycle) for cycle in (1, 15, 16, 20, 21, 22, 23, 24)] == [
        1, 15, 17, 21, 21, 21, 22, 23,
    ]  # fmt: skip
    assert [timetable.actual(cycle) for cycle in (25, 40)] == [24, 39]


@settings(max_examples=15)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=4), st.integers(0, 1000))
def test_a_program_does_not_depend_on_which_others_are_made(numbers: list[int], seed: int) -> None:
    chosen = list(random_programs(seed, numbers))
    assert [program.number for program in chosen] == numbers
    assert chosen == [random_program(seed, number) for number in numbers]
    assert digest(chosen) == digest(random_program(seed, number) for number in numbers)


def test_global_random_state_has_no_say(seed: int) -> None:
    np.random.seed(1)
    first = digest(random_programs(seed, range(8)))
    np.random.seed(2)
    np.random.random(100)
    assert digest(random_programs(seed, range(8))) == first


def test_seeds_and_numbers_make_different_programs(seed: int) -> None:
    programs = [random_program(each, number) for each in (seed, seed + 1) for number in range(20)]
    assert len({digest([program]) for program in programs}) == len(programs)


def test_predecessors_reach_back_to_a_scratchpad_image(seed: int) -> None:
    for number in range(16):
        needed = with_predecessors(seed, [number])
        first, *rest = (random_program(seed, each) for each in needed)
        assert needed == tuple(range(needed[0], number + 1))
        assert first.scratchpad is not None or first.number % 8 == 0
        assert all(program.scratchpad is None for program in rest)


def test_predecessors_of_several_programs_are_named_once(seed: int) -> None:
    both = with_predecessors(seed, [21, 3])
    assert both == tuple(sorted({*with_predecessors(seed, [3]), *with_predecessors(seed, [21])}))


@pytest.mark.parametrize(("seed", "number"), [(-1, 0), (0, -3)])
def test_negative_seeds_and_numbers_are_refused(seed: int, number: int) -> None:
    with pytest.raises(Ga2Error, match=r"random programs: \w+ is -\d, legal is 0 and more"):
        random_program(seed, number)
