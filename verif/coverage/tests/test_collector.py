"""The collector by itself, away from any bench: it looks at nothing that failed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from refmodel.isa.instructions import Load
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.decoded_program import decode_program
from refmodel.machine.machine import Machine
from sequences.directed.directed_program import bundle_of
from sequences.program_item import ProgramItem
from verif.bfm.bfm import ProgramBfm
from verif.bfm.check import Check
from verif.bfm.harness import CheckReport
from verif.bfm.observation import Observation, ObservedAccesses
from verif.coverage.collector import CoverageCollector
from verif.coverage.executed_program import WORD_BYTES
from verif.scoreboard.judged_run import JudgedRun

BUNDLE = bundle_of([Load(0, 0, 4)])


class _Harness:
    """Holds the program of a run that began with start on an idle chip."""

    def read_code(self) -> tuple[bytes, int]:
        return b"".join(word.to_bytes(WORD_BYTES, "little") for word in BUNDLE.code), len(BUNDLE.code)

    def read_met(self) -> tuple[int, int, int]:
        return 1, 0, 0

    def read_settings(self, *names: str) -> list[int]:
        return [0] * len(names)


def judged() -> JudgedRun:
    """Return a run that passed."""
    item = ProgramItem("program")
    item.set(BUNDLE)
    result = Machine().run(BUNDLE)
    none = np.zeros(len(Check), np.uint32)
    checks = CheckReport(none, none, none)
    everything = np.ones(SCRATCHPAD_WORDS, np.bool_)
    plan = decode_program(BUNDLE.code, BUNDLE.read_latency).access_plan
    accesses = ObservedAccesses(plan.accesses(result.results, (), 1), 1, 0, 0, True, True)
    return JudgedRun(item, Observation(result, accesses, checks, 1, False, 0), None, everything, None, True)


def test_only_what_passed_is_looked_at() -> None:
    collector: Any = CoverageCollector("coverage", None)
    collector.build_phase()
    collector.bfm = cast("ProgramBfm", _Harness())
    collector.write(replace(judged(), passed=False))
    assert collector.tally.result().programs == 0
    assert collector.tally.result().bins == {}
    collector.write(judged())
    assert collector.tally.result().programs == 1
    assert {hits.program for hits in collector.tally.result().bins.values()} == {"program"}
