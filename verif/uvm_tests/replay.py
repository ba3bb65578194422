"""Replays bundle files and hands their final state back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyuvm
from pydantic import Field

from refmodel.machine.result import RunResult
from sequences.bundle_file import load_bundle
from sequences.replay import ReplaySequence
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class ReplayTest(BenchTest):
    """Payload `results`: for each path the final state."""

    class Parameters(BenchTest.Parameters):
        """What it takes."""

        bundles: tuple[str, ...] = Field(min_length=1)
        """Paths."""
        state: bool = True
        """Is the payload wanted?"""

    parameters: Parameters

    async def stimulate(self) -> None:
        """Replay them all."""
        sequence = ReplaySequence.create("replay")
        sequence.bundles = {path: load_bundle(Path(path)) for path in self.parameters.bundles}
        await sequence.start(self.environment.sequencer)
        if self.parameters.state:
            self.report.payload["results"] = {
                path: _state(result) for path, result in sequence.results.items()
            }


def _state(result: RunResult) -> dict[str, Any]:
    """Return the final state as JSON values; undefined words as the simulator shows their known bits."""
    return {
        "halted": result.halted,
        "fault": result.fault,
        "counters": vars(result.counters),
        "ext": result.ext.tolist(),
        "scratchpad": result.scratchpad.tolist(),
    }
