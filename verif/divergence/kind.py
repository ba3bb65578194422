"""The ways in which a run can leave the path that the model predicts."""

from __future__ import annotations

from enum import Enum


class DivergenceKind(Enum):
    """What the first difference is; the value names it for people."""

    DATA = "wrong data"
    ADDRESS = "wrong address"
    ORDER = "wrong order"
    MISSING = "missing event"
    EXTRA = "extra event"
    TIMING = "wrong time"
    COUNTER = "wrong counter"
    END_PC = "end at the wrong pc"
    START = "wrong start"

    # What the sequencer must make impossible.
    RETIRE_WITHOUT_ISSUE = "retire without issue"
    WRITE_OUTSIDE_TURN = "write outside a turn"
    END_WITH_EVENT_PENDING = "end with an event pending"
    FAULT_INSTEAD_OF_RUN = "fault instead of run"
    RUN_INSTEAD_OF_FAULT = "run instead of fault"
    HANG = "hang"

    # What shows at no event.
    STATE = "wrong final state"
    READS = "wrong number of reads"
    RULE = "broken rule"
