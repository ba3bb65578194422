"""The machine against the slow one: every operation, every memory, every counter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Illegal,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.bundle import Bundle, BundleLimitError
from refmodel.machine.decoded_program import decode_program, wrapped_program
from refmodel.machine.machine import EndlessProgramError, Machine
from refmodel.machine.result import RunResult
from refmodel.machine.tests.helpers import program, words
from refmodel.machine.tests.slow_machine import SlowMachine
from refmodel.machine.tests.strategies import executing_instructions, matmuls

MACHINE = Machine()
"""One machine for all examples: what an earlier program left must not show."""


def check_against_slow_machine(code: tuple[int, ...], seed: int, ext_words: int, latency: int) -> RunResult:
    rng = np.random.default_rng(seed)
    # Half of the words are int8 values, half are anything: low bytes, signs and full words all matter.
    ext = rng.integers(0, 2**32, ext_words, dtype=np.uint32)
    scratchpad = rng.integers(0, 2**32, 4096, dtype=np.uint32)
    scratchpad[::2] = rng.integers(-128, 128, 2048).astype(np.uint32)
    result = MACHINE.run(Bundle(code, ext, ext_words, latency, scratchpad))
    padded = ext.tolist() + [0] * (65536 - ext_words)
    expected = SlowMachine(padded, scratchpad.tolist(), ext_words, latency)
    expected.run(code)
    assert (result.halted, result.fault) == (True, expected.fault)
    assert result.ext.tolist() == expected.ext[:ext_words]
    assert result.scratchpad.tolist() == expected.mem
    assert result.defined.all()
    assert result.ext_defined is None
    assert [tuple(row) for row in result.retires.tolist()] == expected.retires
    assert accesses_of(code, latency, result) == expected.accesses
    counters = result.counters
    found = (counters.cyc_total, counters.cyc_mm, counters.cyc_dma, counters.cyc_vec, counters.n_inst)
    assert found == expected.counters()
    return result


def accesses_of(code: tuple[int, ...], latency: int, result: RunResult) -> list[tuple[int, ...]]:
    plan = decode_program(code, latency).access_plan
    found = plan.accesses(result.results, result.undefined_results, len(result.retires))
    assert found.known.all()
    columns = (found.signatures, found.writes, found.ext_writes, found.reads)
    return list(zip(*(column.tolist() for column in columns), strict=True))


seeds = st.integers(0, 2**32 - 1)
ext_sizes = st.sampled_from([1, 300, 8192, 65536])


@given(st.lists(executing_instructions, max_size=6), seeds, ext_sizes, st.integers(1, 255))
def test_programs(instructions: list[Instruction], seed: int, ext_words: int, latency: int) -> None:
    check_against_slow_machine(encode_program(instructions), seed, ext_words, latency)


@given(matmuls, seeds)
def test_matmul(instruction: MatMul, seed: int) -> None:
    check_against_slow_machine(encode_program([instruction]), seed, 1, 8)


@given(st.lists(st.integers(0, 2**128 - 1), max_size=4), seeds)
def test_words_of_any_bits_fault_or_run(code: list[int], seed: int) -> None:
    # Vector instructions of random bits may overlap partially, which defines nothing to compare.
    code = [word for word in code if word >> 124 not in (4, 5, 6)]
    check_against_slow_machine(tuple(code), seed, 65536, 8)


@pytest.mark.parametrize("length", [1, 2, 4095])
@pytest.mark.parametrize("start", [0, 1, 4095])
def test_smallest_and_largest_vectors(length: int, start: int) -> None:
    for instruction in (
        Load(start, 65535, length),
        Store(start, 65535, length),
        Requantize(start, start, length, 2**23 + 1, 30),
        Softmax(start, start, length),
        VectorAdd(start, start, start, length),
        ArgMax(start, start, length),
    ):
        check_against_slow_machine(encode_program([instruction, Halt()]), length + start, 65536, 8)


def test_matmul_reads_both_tiles_before_it_writes() -> None:
    # A = [[1, 2], [3, 4]] is B too, and dst is in its place: A·A = [[7, 10], [15, 22]].
    result = Machine().run(program(MatMul(0, 0, 0, 2, 2, 2, False, 2, 2, 2), scratchpad=[1, 2, 3, 4]))
    assert result.scratchpad[:4].tolist() == [7, 10, 15, 22]


def test_matmul_rows_that_collide_keep_the_later_write() -> None:
    # A = [[1, 4], [4, 0]], its rows at stride 1 too, and B = [[1, 2, 3], [4, 5, 6]].
    image = [1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    result = Machine().run(program(MatMul(20, 0, 10, 2, 2, 3, False, 1, 3, 1), scratchpad=image))
    # C = [[17, 22, 27], [4, 8, 12]]; words 21 and 22 were 22 and 27 before the second row came.
    assert result.scratchpad[20:24].tolist() == [17, 4, 8, 12]


def test_softmax_tie_and_single_element() -> None:
    result = Machine().run(
        program(Softmax(10, 0, 4), Softmax(20, 5, 1), scratchpad=[127, 127, -48, -48, 0, 9])
    )
    assert result.scratchpad[10:14].tolist() == [32768, 32768, 1, 1]
    assert result.scratchpad[20] == 65536


def test_argmax_takes_the_first_of_equals_and_compares_signed_words() -> None:
    result = Machine().run(program(ArgMax(1, 0, 5), scratchpad=[-1, 7, 2**31 - 1, 2**31 - 1, -(2**31)]))
    assert result.scratchpad[1] == 2


def test_empty_program_halts_at_once() -> None:
    result = Machine().run(Bundle(code=(), ext=words([])))
    assert (result.halted, result.fault, result.counters.cyc_total, len(result.retires)) == (
        True,
        False,
        2,
        0,
    )


def test_a_fault_stops_before_any_effect_and_counts_fetch_and_issue() -> None:
    bundle = program(Load(0, 0, 2), Load(5, 0, 0), Load(10, 0, 2), ext=[1, 2], scratchpad=[])
    result = Machine().run(bundle)
    assert (result.halted, result.fault, result.counters.n_inst) == (True, True, 1)
    assert result.counters.cyc_total == 2 * 2 + 2 + 8 + 1
    assert result.scratchpad.tolist() == [1, 2] + [0] * 4094
    assert Machine().run(program(Illegal(15))).fault


def test_a_load_sees_what_the_program_has_stored() -> None:
    result = Machine().run(program(Store(0, 50, 2), Load(10, 49, 3), ext=[0] * 49 + [5], scratchpad=[7, 8]))
    assert result.scratchpad[10:13].tolist() == [5, 7, 8]


def test_accesses_beyond_ext_words_read_zero_are_dropped_and_counted() -> None:
    stray = program(Store(0, 8, 4), Load(10, 8, 4), scratchpad=[1, 2, 3, 4], ext_words=10)
    result = MACHINE.run(stray)
    assert result.ext.tolist() == [0] * 8 + [1, 2]
    assert result.scratchpad[10:14].tolist() == [1, 2, 0, 0]
    assert result.stray_ext_accesses == 4
    # The same program with more external memory, and again with less.
    result = MACHINE.run(program(Store(0, 8, 4), Load(10, 8, 4), scratchpad=[1, 2, 3, 4], ext_words=12))
    assert result.ext.tolist() == [0] * 8 + [1, 2, 3, 4]
    assert result.stray_ext_accesses == 0
    assert MACHINE.run(stray).scratchpad[10:14].tolist() == [1, 2, 0, 0]


def test_one_word_beyond_ext_words_is_beyond() -> None:
    result = MACHINE.run(program(Store(0, 9, 2), Load(10, 9, 2), scratchpad=[1, 2], ext_words=10))
    assert result.scratchpad[10:12].tolist() == [1, 0]
    assert result.stray_ext_accesses == 2


def test_external_memory_does_not_carry_over() -> None:
    machine = Machine()
    machine.run(program(Store(0, 0, 100), scratchpad=[9] * 100, ext_words=200))
    assert machine.run(program(ext=[3], ext_words=150)).ext.tolist() == [3] + [0] * 149
    assert machine.run(program(ext_words=200)).ext.tolist() == [0] * 200


def test_results_of_earlier_runs_do_not_change() -> None:
    machine = Machine()
    first = machine.run(program(Load(0, 0, 1), ext=[1]))
    machine.run(program(Load(0, 0, 1), Load(1, 0, 1), ext=[2]))
    assert (first.scratchpad[0], first.ext[0], first.defined[:2].tolist()) == (1, 1, [True, False])


def test_counters_wrap_at_32_bits() -> None:
    latency = 2**31
    decoded = decode_program(encode_program([Load(0, 0, 1), Load(0, 0, 1)]), latency)
    assert decoded.counters.cyc_dma == 2 * (1 + latency + 1) - 2**32 == 4
    assert decoded.counters.cyc_total == 4 + 6
    assert decoded.retires[:, 3].tolist() == [2**31 + 2] * 2


def test_the_pc_of_an_endless_program_wraps() -> None:
    code = encode_program([Load(0, 0, 1), Store(0, 3, 1)] * 32768)
    endless = decode_program(code, 1)
    assert endless.endless
    assert not decode_program((*code[:-1], 0), 1).endless
    cycles = 65536 * 5
    twice = wrapped_program(endless, cycles + 6)
    assert twice.last_cycles[65535:65538].tolist() == [cycles, cycles + 5, cycles + 10]
    assert twice.retires[65534:65538, :2].tolist() == [[65534, 1], [65535, 2], [0, 1], [1, 2]]
    assert twice.counters.n_inst == 131072
    with pytest.raises(EndlessProgramError, match="its pc wraps at 65,535"):
        Machine().run(Bundle(code, np.zeros(4, np.uint32)))


def test_a_program_is_decoded_once() -> None:
    code = encode_program([Load(0, 0, 7), Halt()])
    assert decode_program(code, 8) is decode_program(encode_program([Load(0, 0, 7), Halt()]), 8)
    assert decode_program(code, 8) is not decode_program(code, 9)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"ext_words": 0}, "ext_words is 0, legal is 1..65536"),
        ({"ext_words": 65537}, "ext_words is 65537"),
        ({"read_latency": 0}, "read_latency is 0, legal is 1..4095"),
        ({"read_latency": 4096}, "read_latency is 4096"),
        ({"code": (0,) * 65537}, "code .* is 65537, legal is 0..65536"),
        ({"ext": np.zeros(11, np.uint32), "ext_words": 10}, "ext .* is 11, legal is 0..10"),
        ({"scratchpad": np.zeros(4097, np.uint32)}, "scratchpad is 4097, legal is 0..4096"),
    ],
)
def test_bundles_that_fit_no_bench_are_refused(bad: dict[str, object], message: str) -> None:
    values: dict[str, object] = {"code": (), "ext": words([])} | bad
    with pytest.raises(BundleLimitError, match=message):
        Bundle(**values)  # type: ignore[arg-type]
