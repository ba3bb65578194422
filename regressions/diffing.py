"""One bundle on two simulators, event by event."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.machine.event_json import event_json
from refmodel.machine.event_text import event_text
from refmodel.machine.events import Event
from refmodel.machine.report_lines import labelled
from refmodel.machine.result import RunResult
from regressions.rtl import RtlFailure, discarded_if_interrupted, own_directory
from regressions.soundness import require_sound
from sequences.bundle_file import load_bundle
from sequences.directed.directed_program import DirectedProgram
from sequences.preset import preset
from verif.divergence.divergence import Divergence
from verif.divergence.report import divergence_text
from verif.failure.rerun import rerun
from verif.simulation.simulation import BrokenSimulationError, Simulation, SimulationTimeout


@dataclass(frozen=True, eq=False)
class SimulatedTrace:
    """A bundle on one simulator."""

    simulator: str
    events: tuple[Event, ...]
    result: RunResult | None
    """None if the program hung."""
    divergence: Divergence | None
    """From the model."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Two traces of one bundle side by side."""

    first: SimulatedTrace
    second: SimulatedTrace

    @property
    def event(self) -> tuple[int, Event | None, Event | None] | None:
        """The first events that differ, and how many agree before; None if all agree."""
        for index, (one, other) in enumerate(zip_longest(self.first.events, self.second.events)):
            if one != other:
                return index, one, other
        return None

    @property
    def words(self) -> list[str]:
        """The memory words that differ afterwards, by name."""
        one, other = self.first.result, self.second.result
        if one is None or other is None:
            return []
        return [
            *(f"external {address}" for address in np.flatnonzero(one.ext != other.ext).tolist()),
            *(f"scratchpad {address}" for address in _different(one, other)),
        ]

    @property
    def same(self) -> bool:
        """Do both simulators show the same?"""
        return self.event is None and not self.words

    def lines(self) -> Iterator[str]:
        """Yield the text."""
        names = f"{self.first.simulator} and {self.second.simulator}"
        event = self.event
        if event is not None:
            index, *pair = event
            yield f"{names} differ after {index} events"
            for trace, shown in zip((self.first, self.second), pair, strict=True):
                yield from labelled(trace.simulator, "nothing more" if shown is None else event_text(shown))
        elif self.words:
            yield f"{names} agree in all {len(self.first.events)} events, but not in memory afterwards"
            yield from labelled("words", ", ".join(self.words[:8]) + (" …" if self.words[8:] else ""))
        else:
            yield f"{names} agree in all {len(self.first.events)} events and in memory afterwards"
        yield ""
        texts = [_judgement(trace) for trace in (self.first, self.second)]
        if texts[0] == texts[1]:
            yield f"both {texts[0]}"
            return
        for trace, text in zip((self.first, self.second), texts, strict=True):
            yield f"{trace.simulator} {text}"

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        event = self.event
        index, *pair = (None, None, None) if event is None else event
        return {
            "same": self.same,
            "events_that_agree": len(self.first.events) if event is None else index,
            "events": {
                trace.simulator: event_json(shown) if shown else None
                for trace, shown in zip((self.first, self.second), pair, strict=True)
            },
            "words": self.words,
        }


def diff_bundle(path: Path, simulators: tuple[str, str]) -> Difference:
    """Trace a bundle on two simulators, its scratchpad preset to zeros where it gives none.

    Raises Ga2Error for a bundle that cannot be run, RtlFailure when the RTL breaks a simulation.
    """
    bundle = load_bundle(path)
    require_sound(path, bundle)
    program = DirectedProgram(path.name, preset(bundle))
    first, second = (_trace(program, simulator) for simulator in simulators)
    return Difference(first, second)


def _trace(program: DirectedProgram, simulator: str) -> SimulatedTrace:
    directory = own_directory(simulator) / "diff"
    try:
        with discarded_if_interrupted(directory.parent):
            found = rerun(Simulation(simulator, "traced.TracedTest", directory), [program], directory)
    except (BrokenSimulationError, SimulationTimeout) as error:
        raise RtlFailure(str(error)) from error
    if found.run is None:
        raise Ga2Error(f"{simulator} brought no trace; see {directory / 'sim.log'}")
    shutil.rmtree(own_directory(simulator), ignore_errors=True)
    events = tuple(event for events in found.run.passes() for event in events)
    divergence = found.diagnosis.divergence if found.diagnosis else None
    return SimulatedTrace(simulator, events, found.run.result, divergence)


def _judgement(trace: SimulatedTrace) -> str:
    """Say how a trace stands to the model's."""
    if trace.divergence is None:
        return "as the model predicts"
    return f"not as the model predicts:\n\n{divergence_text(trace.divergence)}"


def _different(one: RunResult, other: RunResult) -> list[int]:
    known = one.defined & other.defined
    addresses: list[int] = np.flatnonzero((one.scratchpad != other.scratchpad) & known).tolist()
    return addresses
