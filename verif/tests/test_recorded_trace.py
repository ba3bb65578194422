"""The layout of the harness's trace entries, put together here by hand (hdl/tb/ga2_tb_trace.sv)."""

from refmodel.machine.events import ALL_BITS, CycleSpan, End, Memory, Retire, Write
from refmodel.machine.result import Counters
from verif.trace.recorded_trace import RecordedTrace

START, RETIRE, END, SCRATCHPAD, EXT = range(5)


def entry(kind: int, cycle: int, pc: int, payload: int = 0, opcode: int = 0) -> int:
    return kind << 124 | opcode << 120 | cycle << 88 | pc << 72 | payload


def recorded(*entries: int, unknown: tuple[int, ...] = ()) -> RecordedTrace:
    return RecordedTrace(entries, unknown, sees_scratchpad=True)


def test_every_kind_of_event() -> None:
    trace = recorded(
        entry(START, 1, 0),
        entry(SCRATCHPAD, 5, 0, 0x0ABC << 32 | 0xFFFF_FFFE),
        entry(EXT, 6, 0, 0xFFFF << 32 | 7),
        entry(RETIRE, 7, 0, 3 << 48 | 2 << 24 | 1, opcode=3),
        entry(END, 9, 1, 1),
    )
    assert trace.passes() == [
        [
            Write(Memory.SCRATCHPAD, 0, 0x0ABC, 0xFFFF_FFFE, CycleSpan.at(5)),
            Write(Memory.EXT, 0, 0xFFFF, 7, CycleSpan.at(6)),
            Retire(0, 3, 3, 2, 1, 7),
            End(1, True, Counters(9, 3, 2, 1, 1), 9),
        ]
    ]


def test_the_last_end_has_the_counters_of_the_chip() -> None:
    one_pass = (entry(START, 1, 0), entry(END, 2, 0))
    first, last = recorded(*one_pass, *one_pass).passes(Counters(cyc_total=99))
    assert first == [End(0, False, Counters(cyc_total=2), 2)]
    assert last == [End(0, False, Counters(cyc_total=99), 2)]


def test_what_comes_before_the_start_belongs_to_no_pass() -> None:
    assert recorded(entry(EXT, 0, 0), entry(START, 1, 0)).passes() == [[]]


def test_unknown_bits_are_told() -> None:
    entries = (entry(START, 1, 0), entry(EXT, 5, 0, 3 << 32 | 8), entry(EXT, 6, 0, 3 << 32 | 8))
    (events,) = recorded(*entries, unknown=(0, 0xF0, 1 << 32)).passes()
    assert [event.unknown for event in events if isinstance(event, Write)] == [0xF0, ALL_BITS]


def test_json() -> None:
    trace = RecordedTrace((entry(EXT, 5, 0, 1),), (3,), sees_scratchpad=False, complete=False)
    assert RecordedTrace.from_json(trace.to_json()) == trace
