"""A compiled program, run instruction by instruction, beside the integers that each must handle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from refmodel.capra.interpreter import interpret
from refmodel.capra.nodes import AddNode, MatMulNode, SoftmaxNode
from refmodel.capra.program import Program, words_to_integers
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Instruction, Requantize, VectorAdd
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.isa.regions import Region, footprint
from refmodel.machine.machine import Machine
from refmodel.numerics.integer import IntArray, requantize, softmax_row
from refmodel.source_map.instruction_source import InstructionSource


class MappedProgram:
    """A compiled program with its instructions, and the integers it must handle."""

    def __init__(self, program: Program, inputs: Mapping[str, ArrayLike]) -> None:
        self.program = program
        self.bundle = program.bundle(inputs)
        self.source_map = program.source_map
        self.instructions = [decode(word) for word in program.code]
        self.footprints = [footprint(instruction) for instruction in self.instructions]
        self.fused_relus = {
            each.operands[0]: node for node, each in enumerate(program.graph.nodes) if each.kind == "relu"
        }
        self.interpreted = interpret(program.graph, program.plan, inputs)

    @cached_property
    def scratchpads(self) -> list[IntArray]:
        """The scratchpad before each instruction and after the last, as signed integers."""
        machine, ext = Machine(strict=True), self.bundle.ext
        states = [np.zeros(SCRATCHPAD_WORDS, dtype=np.int64)]
        for word in self.program.code:
            result = machine.run(replace(self.bundle, code=(word,), ext=ext))
            ext = result.ext
            states.append(words_to_integers(result.scratchpad))
        return states

    @cached_property
    def tensors(self) -> list[IntArray]:
        """For every instruction but HALT, the whole tensor it works on, from graph and interpreter alone."""
        return [self._tensor(pc, node) for pc, node in enumerate(self.program.nodes) if node >= 0]

    def work(self) -> Iterator[tuple[int, Instruction, InstructionSource]]:
        """Yield pc, instruction and source of every instruction but HALT."""
        for pc, instruction in enumerate(self.instructions[:-1]):
            source = self.source_map.instruction(pc)
            assert source is not None, f"pc {pc} is not mapped"
            yield pc, instruction, source

    def _tensor(self, pc: int, node: int) -> IntArray:
        graph, plan = self.program.graph, self.program.plan
        operation = graph.nodes[node]
        operands = [self.interpreted[operand] for operand in operation.operands]
        quantized = isinstance(self.instructions[pc], Requantize)
        match operation:
            case MatMulNode() if quantized:
                return self.interpreted[self.fused_relus.get(node, node)]
            case MatMulNode():
                return operands[0] @ (operands[1].T if operation.transpose_b else operands[1])
            case SoftmaxNode() if not quantized:
                return np.stack([softmax_row(row) for row in operands[0]])
            case AddNode() if not isinstance(self.instructions[pc], VectorAdd):
                rescaled = [
                    each for each in dict.fromkeys(operation.operands) if (node, each) in plan.rescales
                ]
                operand = rescaled[self.program.nodes[:pc].count(node)]
                parameters = plan.rescales[node, operand]
                return requantize(self.interpreted[operand], parameters.multiplier, parameters.shift)
            case _:
                return self.interpreted[node]


def addresses(*regions: Region | None) -> list[int]:
    """Return the words of some regions, in order and each once."""
    return list(
        dict.fromkeys(address for each in regions if each for address in each.addresses().ravel().tolist())
    )
