"""Runs a host loop on the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from refmodel.errors import Ga2Error
from refmodel.machine.machine import Machine
from refmodel.machine.result import Counters, RunResult
from refmodel.speculative.block_loop import DecodeRun
from refmodel.speculative.host_loop import HostLoop
from refmodel.speculative.step import Step


@dataclass(frozen=True)
class ModelRun:
    """What a decoding produced, and what it cost on the chip."""

    run: DecodeRun
    counters: Counters
    """Sums over all programs."""


def run_on_model(
    loop: HostLoop, machine: Machine, observe: Callable[[Step, RunResult], None] | None = None
) -> ModelRun:
    """Drive a host loop to its end, every program on `machine`, whose scratchpad carries over between them.

    `observe` sees each step and what its program left behind. Raises Ga2Error when a program faults, which
    no compiled program does.
    """
    counters = Counters()
    try:
        step = next(loop)
        while True:
            result = machine.run(step.bundle())
            if result.fault:
                raise Ga2Error(
                    f"a {step.kind} program of {step.rows} rows over {step.context} cached faulted"
                )
            counters += result.counters
            if observe is not None:
                observe(step, result)
            step = loop.send(step.program.read_outputs(result.ext))
    except StopIteration as end:
        return ModelRun(end.value, counters)
