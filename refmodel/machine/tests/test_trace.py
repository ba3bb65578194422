"""The trace against the machine, and the order and time of events against docs/isa.md."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from refmodel.isa.encoding import encode_program
from refmodel.isa.instructions import (
    ArgMax,
    Instruction,
    Load,
    MatMul,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.bundle import Bundle
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Memory, Retire, Write
from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters, RunResult
from refmodel.machine.tests.helpers import program
from refmodel.machine.tests.strategies import executing_instructions
from refmodel.machine.trace import Trace, trace_program

SCRATCHPAD, EXT = Memory.SCRATCHPAD, Memory.EXT


def assert_trace_is_the_machines(trace: Trace, result: RunResult) -> None:
    """The memories that the trace ends with, and those its writes add up to, are the machine's."""
    ext_defined = np.ones(len(result.ext), np.bool_) if result.ext_defined is None else result.ext_defined
    assert trace.ext.tolist() == result.ext.tolist()
    assert trace.ext_defined.tolist() == ext_defined.tolist()
    assert trace.scratchpad.tolist() == result.scratchpad.tolist()
    assert trace.defined.tolist() == result.defined.tolist()
    retires = [each.retire for each in trace.instructions]
    rows = [[each.pc, each.opcode, each.busy_mm, each.busy_dma, each.busy_vec] for each in retires]
    assert rows == result.retires.tolist()
    assert (trace.end.fault, trace.end.counters) == (result.fault, result.counters)


def assert_writes_add_up(trace: Trace, scratchpad: list[int]) -> None:
    ext = [0] * 65536
    ext[: len(trace.bundle.ext)] = trace.bundle.ext.tolist()
    memories = {SCRATCHPAD: list(scratchpad), EXT: ext}
    for event in trace.events:
        if isinstance(event, Write):
            memories[event.memory][event.address] = event.data
    assert memories[SCRATCHPAD] == trace.scratchpad.tolist()
    assert ext[: len(trace.ext)] == trace.ext.tolist()


@given(st.lists(executing_instructions, max_size=5), st.integers(0, 2**32 - 1), st.booleans())
def test_programs(instructions: list[Instruction], seed: int, preset: bool) -> None:
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 2**32, 4096, dtype=np.uint32)
    ext = rng.integers(0, 2**32, 300, dtype=np.uint32)
    bundle = Bundle(encode_program(instructions), ext, 300, 8, image if preset else None)
    machine = Machine()
    before = machine.run(Bundle(encode_program([Load(0, 0, 300)]), ext, 300))
    trace = trace_program(bundle, before)
    assert_trace_is_the_machines(trace, machine.run(bundle))
    assert_writes_add_up(trace, (image if preset else before.scratchpad).tolist())


def written(instruction: Instruction, scratchpad: list[int]) -> list[tuple[int, int]]:
    """Return the addresses and data of an instruction's writes."""
    trace = trace_program(program(instruction, ext=[5, 6, 7], scratchpad=scratchpad))
    return [(write.address, write.data) for write in trace.instructions[0].writes]


def test_vectors_are_written_ascending_and_wrap() -> None:
    image = [1, 2, 3, 4]
    assert written(Load(4095, 1, 2), image) == [(4095, 6), (0, 7)]
    assert written(Store(1, 65535, 2), image) == [(65535, 2), (0, 3)]
    assert written(Requantize(10, 0, 3, 2, 0), image) == [(10, 2), (11, 4), (12, 6)]
    assert written(VectorAdd(10, 0, 1, 2), image) == [(10, 3), (11, 5)]
    assert written(ArgMax(0, 0, 4), image) == [(0, 3)]


def test_matmul_writes_every_element_row_by_row_even_where_they_collide() -> None:
    # A = [[1, 4], [4, 0]], its rows at stride 1 too, and B = [[1, 2, 3], [4, 5, 6]].
    image = [1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6]
    writes = written(MatMul(20, 0, 10, 2, 2, 3, False, 1, 3, 1), image)
    assert writes == [(20, 17), (21, 22), (22, 27), (21, 4), (22, 8), (23, 12)]


def test_softmax_writes_exponentials_before_probabilities() -> None:
    # Two equal scores: both exponentials are T[0] = 65535, both probabilities a half.
    assert written(Softmax(10, 0, 2), [5, 5]) == [(10, 65535), (11, 65535), (10, 32768), (11, 32768)]


def test_events_in_order_with_their_cycles() -> None:
    # LD: FETCH 1, ISSUE 2, busy 3..6. ST: FETCH 7, ISSUE 8, busy 9..12, of which 11 and 12 write.
    trace = trace_program(program(Load(0, 0, 2), Store(0, 50, 2), ext=[5, 6], read_latency=1))
    load = CycleSpan(3, 6)
    assert list(trace.events) == [
        Write(SCRATCHPAD, 0, 0, 5, load),
        Write(SCRATCHPAD, 0, 1, 6, load),
        Retire(0, 1, 0, 4, 0, 6),
        Write(EXT, 1, 50, 5, CycleSpan.at(11)),
        Write(EXT, 1, 51, 6, CycleSpan.at(12)),
        Retire(1, 2, 0, 4, 0, 12),
        End(2, False, Counters(14, 0, 8, 0, 2), 14),
    ]
    assert [each.fetch_cycle for each in trace.instructions] == [1, 7]


def test_a_fault_ends_the_trace_at_its_pc() -> None:
    trace = trace_program(program(ArgMax(9, 0, 1), Load(0, 0, 0), scratchpad=[]))
    assert list(trace.events)[1:] == [
        Retire(0, 7, 0, 0, 4, 6),
        End(1, True, Counters(8, 0, 0, 4, 1), 8),
    ]
    assert list(trace_program(program(scratchpad=[])).events) == [End(0, False, Counters(2), 2)]


def test_words_never_written_are_unknown_and_so_is_what_depends_on_them() -> None:
    # Word 1 is never written. Rows of the result collide; the later, undefined one stays.
    instructions: list[Instruction] = [
        Load(0, 0, 1),
        Store(0, 5, 2),
        MatMul(9, 0, 0, 2, 1, 1, False, 1, 1, 0),
        Softmax(20, 0, 2),
    ]
    trace = trace_program(program(*instructions, ext=[7]))
    unknown = [[write.unknown for write in each.writes] for each in trace.instructions]
    assert unknown == [[0], [0, ALL_BITS], [0, ALL_BITS], [ALL_BITS] * 4]
    assert not trace.defined[9]


def test_the_scratchpad_of_the_program_before_is_found() -> None:
    before = Machine().run(program(Load(0, 0, 1), ext=[7]))
    store = trace_program(program(Store(0, 0, 2)), before).instructions[0]
    assert [(write.data, write.unknown) for write in store.writes] == [(7, 0), (0, ALL_BITS)]


def test_a_write_beyond_ext_words_is_seen_though_it_is_dropped() -> None:
    trace = trace_program(program(Store(0, 9, 2), scratchpad=[3, 4], ext_words=10))
    store = trace.instructions[0]
    assert [(write.address, write.data) for write in store.writes] == [(9, 3), (10, 4)]
    assert store.written.words.tolist() == [3, 0]


def test_a_word_beyond_ext_words_reads_as_a_defined_zero_whatever_was_written() -> None:
    trace = trace_program(program(Store(0, 9, 2), Load(5, 9, 2), ext_words=10))
    load = trace.instructions[1]
    assert [(write.data, write.unknown) for write in load.writes] == [(0, ALL_BITS), (0, 0)]


def test_what_an_instruction_read_and_overwrote() -> None:
    # dst lies in A, so the operands must be taken before the product is written.
    trace = trace_program(program(MatMul(0, 0, 4, 1, 2, 1, True, 2, 2, 1), scratchpad=[3, 4, 0, 0, 5, 6]))
    matmul = trace.instructions[0]
    assert [(each.name, each.words.tolist()) for each in matmul.reads] == [("A", [[3, 4]]), ("B", [[5], [6]])]
    assert (matmul.overwritten.words.tolist(), matmul.written.words.tolist()) == ([[3]], [[39]])


def test_what_a_load_read_is_external() -> None:
    load = trace_program(program(Load(0, 0, 2), ext=[7, 8])).instructions[0]
    (source,) = load.reads
    assert (source.memory, source.words.tolist(), source.defined.tolist()) == (EXT, [7, 8], [True, True])
    assert not load.overwritten.defined.any()


def test_elements_are_named_by_operand() -> None:
    trace = trace_program(
        program(MatMul(0, 0, 0, 2, 1, 3, ldc=3), Softmax(40, 50, 2), ArgMax(0, 0, 2), scratchpad=[])
    )
    matmul, softmax, argmax = trace.instructions
    assert [matmul.element(position) for position in (0, 2, 3, 5)] == [
        "C[0][0]",
        "C[0][2]",
        "C[1][0]",
        "C[1][2]",
    ]
    assert [softmax.element(position) for position in range(4)] == [
        "dst[0] (exponential)",
        "dst[1] (exponential)",
        "dst[0]",
        "dst[1]",
    ]
    assert argmax.element(0) == "dst[0]"


def test_a_long_program_is_traced_quickly() -> None:
    # 13,000 cycles, most of them with a write.
    bundle = program(*[Load(0, 0, 1300)] * 5, *[Store(0, 0, 1300)] * 5, scratchpad=[], ext_words=1300)
    assert 13_000 < Machine().run(bundle).counters.cyc_total < 13_200
    durations = []
    for _ in range(3):
        begin = time.process_time()
        events = list(trace_program(bundle).events)
        durations.append(time.process_time() - begin)
    assert len(events) == 10 * 1300 + 10 + 1
    assert min(durations) < 0.1
