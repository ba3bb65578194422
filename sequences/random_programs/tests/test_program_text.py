"""A random program's text names everything it is made of, and means the same program again."""

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Halt, Illegal, Load
from sequences.random_programs import RandomProgram, format_program, parse_program, random_program
from sequences.random_programs.data_region import DataRegion, Profile
from sequences.random_programs.program_text import ProgramTextError
from sequences.stimulus import ResponseDelays, Stimulus

PROGRAM = RandomProgram(1, 2, (Load(0, 5, 6), Halt()), (DataRegion(5, 6, Profile.TIES, 77, 3),))

CHANGED = {
    "seed": 9,
    "number": 9,
    "instructions": (Illegal(15), Halt()),
    "ext": (DataRegion(5, 6, Profile.TIES, 77, 4),),
    "scratchpad": (DataRegion(0, 4096, Profile.INT8, 8),),
    "ext_words": 65536,
    "read_latency": 9,
    "reserved_bits": 0,
    "stimulus": Stimulus(reset_first=True, cycle_limit=900, extra_start=(3, 4), reset_cycle=5),
}


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 70), number=st.integers(0, 1 << 20))
def test_text_means_the_same_program(seed: int, number: int) -> None:
    program = random_program(seed, number)
    assert parse_program(format_program(program)) == program


@pytest.mark.parametrize("name", [field.name for field in fields(RandomProgram)])
def test_every_field_is_in_the_text(name: str) -> None:
    changed = replace(PROGRAM, **{name: CHANGED[name]})  # type: ignore[arg-type]
    assert format_program(changed) != format_program(PROGRAM)
    assert parse_program(format_program(changed)) == changed


@pytest.mark.parametrize(
    "changes",
    [
        {"scratchpad": ()},
        {"stimulus": Stimulus(response_delays=ResponseDelays(5, 9, 2))},
        {"stimulus": Stimulus(response_delays=ResponseDelays(5, 9, 2, "long-last"))},
        {"instructions": ()},
    ],
)
def test_special_cases_mean_the_same_program(changes: dict[str, object]) -> None:
    changed = replace(PROGRAM, **changes)  # type: ignore[arg-type]
    assert parse_program(format_program(changed)) == changed


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("sed 4", "line 1, 'sed 4': unknown key 'sed'"),
        ("seed", "line 1, 'seed': "),
        ("ext 0 4 purple seed 1", "line 1, .*'purple' is not a valid Profile"),
        ("ext 0 4 ties seed 1 exponent", "line 1, .*a region is"),
        ("ext 0 4 ties sede 1", "line 1, .*a region is"),
        ("scratchpad 0 0 int8 seed 1", "line 1, .*of 0 words"),
        ("scratchpad 0 4 ties seed 1 exponent 32", "line 1, .*exponent 32, legal is 0..31"),
        ("reserved_bits -1", "line 1, .*a seed is 0 and more"),
        ("response_delays 1 2 sede 3", "line 1, .*'sede' stands where `seed` must"),
        ("code\nLOAD 1 2 3", "line 2, 'LOAD 1 2 3': unknown mnemonic"),
        ("seed 4", "the text has no line 'code'"),
        ("seed 4\ncode", "the text has no line 'number'"),
        ("reset_cycle 0\nseed 1\nnumber 1\next_words 9\nread_latency 1\ncode", "the first cycle is 1"),
    ],
)
def test_bad_text_is_refused(line: str, complaint: str) -> None:
    with pytest.raises(ProgramTextError, match=complaint):
        parse_program(line)


@pytest.mark.parametrize(("start", "length"), [(4096, 1), (0, 4097), (5000, 10)])
def test_a_region_that_does_not_fit_its_memory_is_refused(start: int, length: int) -> None:
    program = replace(PROGRAM, scratchpad=(DataRegion(start, length, Profile.INT8, 1),))
    with pytest.raises(Ga2Error, match=f"from {start} of {length} words in a memory of 4096"):
        program.bundle()


@pytest.mark.parametrize("ext_words", [-1, 65537, 10**11])
def test_a_memory_that_nothing_addresses_is_refused(ext_words: int) -> None:
    with pytest.raises(Ga2Error, match=f"a memory of {ext_words} words, legal is 0..65536"):
        replace(PROGRAM, ext=(), ext_words=ext_words).bundle()
