"""All that was seen of one program in trace mode; it crosses the process boundary to whoever explains it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from refmodel.machine.events import Event
from refmodel.machine.result import Counters, RunResult
from verif.bfm.observation import Observation
from verif.divergence.reads import ScratchpadReads
from verif.trace.recorded_trace import RecordedTrace


@dataclass(frozen=True, eq=False)
class TracedRun:
    """One run on the RTL."""

    recorded: RecordedTrace
    result: RunResult | None
    """The chip's state afterwards, without the retire log; None if the program hung."""
    broken_rules: Mapping[str, tuple[int, int]]
    """For each check of the harness or of the chip that failed: how often, and in which cycle first."""
    reads: ScratchpadReads | None = None
    """None if the program hung, or nobody has named the scratchpad's read port."""

    @classmethod
    def of(cls, recorded: RecordedTrace, observation: Observation | None) -> TracedRun:
        """Put together what the bench saw; no observation means that the program hung."""
        if observation is None:
            return cls(recorded, None, {})
        broken = {rule.name: (count, cycle) for rule, count, cycle in observation.checks.broken()}
        seen = observation.accesses
        reads = ScratchpadReads(tuple(seen.completed.reads.tolist()), seen.outside_reads)
        return cls(recorded, observation.result, broken, reads if seen.sees_reads else None)

    def passes(self) -> list[list[Event]]:
        """Return the events of each honoured start, in order."""
        halted = self.result is not None and self.result.halted
        return self.recorded.passes(self.result.counters if self.result and halted else None)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "recorded": self.recorded.to_json(),
            "result": None if self.result is None else _result_to_json(self.result),
            "broken_rules": dict(self.broken_rules),
            "reads": None if self.reads is None else asdict(self.reads),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TracedRun:
        """Return what `to_json` was called on."""
        reads = values["reads"]
        return cls(
            RecordedTrace.from_json(values["recorded"]),
            None if values["result"] is None else _result_from_json(values["result"]),
            {name: (count, cycle) for name, (count, cycle) in values["broken_rules"].items()},
            None if reads is None else ScratchpadReads.from_json(reads),
        )


def _result_to_json(result: RunResult) -> dict[str, Any]:
    return {
        "halted": result.halted,
        "fault": result.fault,
        "counters": asdict(result.counters),
        "ext": result.ext.tolist(),
        "ext_defined": None if result.ext_defined is None else result.ext_defined.tolist(),
        "scratchpad": result.scratchpad.tolist(),
        "defined": result.defined.tolist(),
    }


def _result_from_json(values: Mapping[str, Any]) -> RunResult:
    return RunResult(
        halted=values["halted"],
        fault=values["fault"],
        counters=Counters(**values["counters"]),
        ext=np.array(values["ext"], np.uint32),
        ext_defined=None if values["ext_defined"] is None else np.array(values["ext_defined"], np.bool_),
        scratchpad=np.array(values["scratchpad"], np.uint32),
        defined=np.array(values["defined"], np.bool_),
        retires=np.zeros((0, 5), np.int64),
    )
