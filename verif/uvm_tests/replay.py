"""Replays bundle files and hands their final state back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyuvm

from refmodel.machine.result import RunResult
from sequences.bundle_file import load_bundle
from sequences.replay import ReplaySequence
from verif.uvm_tests.base_test import BenchTest


@pyuvm.test()
class ReplayTest(BenchTest):
    """Parameter `bundles`: paths. Payload `results`: for each path the final state.

    Parameter `state` (default true) says whether the payload is wanted.
    """

    async def stimulate(self) -> None:
        """Replay them all."""
        sequence = ReplaySequence.create("replay")
        sequence.bundles = {path: load_bundle(Path(path)) for path in self.parameters["bundles"]}
        await sequence.start(self.environment.sequencer)
        if self.parameters.get("state", True):
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
