"""Running one program in tests, on the integer interpreter and on the reference machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from refmodel.capra.interpreter import interpret_outputs
from refmodel.capra.program import Program
from refmodel.machine.machine import Machine
from refmodel.numerics.integer import IntArray
from refmodel.numerics.quantization import FloatArray
from refmodel.speculative.step import Outputs


def on_interpreter(program: Program, inputs: Mapping[str, FloatArray]) -> Outputs:
    """Return the outputs that the program's graph and scales mean."""
    return interpret_outputs(program.graph, program.plan, inputs)


def on_machine(program: Program, inputs: Mapping[str, FloatArray]) -> Outputs:
    """Return the outputs that the program leaves in memory, from a scratchpad never written."""
    result = Machine(strict=True).run(program.bundle(inputs))
    assert result.halted
    assert not result.fault
    return program.read_outputs(result.ext)


Execute = Callable[[Program, Mapping[str, FloatArray]], Outputs]

EXECUTIONS: tuple[Execute, ...] = (on_interpreter, on_machine)


def relative_error(integers: IntArray, scale: float, exact: FloatArray) -> list[float]:
    """Return the relative L2 error of each row."""
    difference = integers * scale - exact
    errors: list[float] = ((difference**2).sum(axis=-1) / (exact**2).sum(axis=-1)) ** 0.5
    return list(errors)
