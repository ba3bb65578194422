"""Drives a host loop with every program on the RTL, and the host feeding on what the RTL returned."""

from __future__ import annotations

from collections.abc import Callable

from refmodel.errors import Ga2Error
from refmodel.machine.result import RunResult
from refmodel.speculative.block_loop import DecodeRun
from refmodel.speculative.host_loop import HostLoop
from refmodel.speculative.step import Outputs, Step
from sequences.program_sequence import ProgramSequence


class HostLoopError(Ga2Error):
    """The host cannot go on with what the RTL returned."""


class HostLoopSequence(ProgramSequence):
    """Runs the loop that `host_loop` returns; the same generators run on the reference model."""

    def __init__(self, name: str = "host_loop") -> None:
        """Make a sequence; `run` is there once it has ended."""
        super().__init__(name)
        self.run: DecodeRun | None = None
        self.observers: list[Callable[[Step, RunResult], None]] = []
        """Called with each step and what its program left behind."""

    def host_loop(self) -> HostLoop:
        """Return the loop to run."""
        raise NotImplementedError

    async def body(self) -> None:
        """Run one program after another, as the loop asks for them. Raises HostLoopError."""
        loop = self.host_loop()
        number = 0
        try:
            step = next(loop)
            while True:
                name = f"{self.get_name()}-{number:03}-{step.kind}"
                step = _answer(loop, name, await self._run_step(name, step))
                number += 1
        except StopIteration as end:
            self.run = end.value

    async def _run_step(self, name: str, step: Step) -> Outputs:
        result = await self.send(name, step.bundle())
        for observe in self.observers:
            observe(step, result)
        return step.program.read_outputs(result.ext)


def _answer(loop: HostLoop, name: str, outputs: Outputs) -> Step:
    """Give the loop the outputs; a chip that computes nonsense must not end in a traceback."""
    try:
        return loop.send(outputs)
    except (IndexError, ValueError) as error:
        raise HostLoopError(f"{name} returned what the host cannot use: {error}") from error
