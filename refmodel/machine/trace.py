"""The trace of a program: every event the chip must show, in order, and what each instruction read.

The values are the machine's own: its operations run, one by one, and their results are kept.
Order within an instruction and cycles are those of docs/isa.md ("Instructions", "Time"). Tracing is for
looking at one program closely; to run many, use `Machine.run`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from refmodel.isa.instructions import Instruction, Load, Softmax, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import Footprint, Region
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, STORE_LEAD_CYCLES
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import DecodedProgram, decode_program, with_load_busy
from refmodel.machine.definedness import Mask, defined_result, propagate
from refmodel.machine.disassembler import disassemble_word
from refmodel.machine.events import ALL_BITS, CycleSpan, End, Event, Memory, Request, Retire, Write
from refmodel.machine.memory import MachineMemory
from refmodel.machine.operations import bind
from refmodel.machine.result import RunResult, WordArray
from refmodel.machine.traced_instruction import OperandWords, TracedInstruction


@dataclass(frozen=True, eq=False)
class Trace:
    """One run of a program on the model, in full."""

    bundle: Bundle
    instructions: tuple[TracedInstruction, ...]
    """Those that complete, by pc."""
    end: End
    ext: WordArray
    """External memory afterwards, uint32[ext_words]; this and the next three as in `RunResult`."""
    ext_defined: Mask
    scratchpad: WordArray
    defined: Mask

    @property
    def events(self) -> Iterator[Event]:
        """Everything that must happen, in order."""
        for instruction in self.instructions:
            yield from instruction.writes
            yield instruction.retire
        yield self.end

    @property
    def requests(self) -> Iterator[Request]:
        """Every read request, in order: LD makes one in each of its first busy cycles."""
        for traced in self.instructions:
            load = traced.instruction
            if isinstance(load, Load):
                for index in range(load.length):
                    address = (load.src + index) % EXT_ADDRESS_WORDS
                    yield Request(traced.retire.pc, address, traced.busy.first + index)

    def result(self) -> RunResult:
        """Return the architectural state afterwards, as `Machine.run` does."""
        retires = [each.retire for each in self.instructions]
        columns = [(each.pc, each.opcode, each.busy_mm, each.busy_dma, each.busy_vec) for each in retires]
        return RunResult(
            halted=True,
            fault=self.end.fault,
            counters=self.end.counters,
            ext=self.ext,
            scratchpad=self.scratchpad,
            defined=self.defined,
            retires=np.array(columns, np.int64).reshape(-1, 5),
            ext_defined=self.ext_defined,
        )

    def disassembly(self, pc: int) -> str:
        """Return the instruction at `pc` as text; beyond the program every word is HALT."""
        return disassemble_word(self.bundle.code[pc] if pc < len(self.bundle.code) else 0)


def trace_program(
    bundle: Bundle, before: RunResult | None = None, load_busy: Sequence[int] | None = None
) -> Trace:
    """Trace a program to its HALT or fault.

    `before` is the result of the program before, whose scratchpad this one finds unless the bundle brings its
    own; None means that nothing was ever written there. `load_busy` gives the busy cycles of each LD where
    the memory has no fixed latency. A write beyond `ext_words` is an event like any other, but the memory
    drops it, and such a word reads as 0.
    """
    run = _Run(bundle, before)
    program = decode_program(bundle.code, bundle.read_latency)
    if load_busy is not None:
        program = with_load_busy(program, load_busy)
    instructions = tuple(run.step(pc, program) for pc in range(len(program.instructions)))
    last = int(program.last_cycles[-1]) if instructions else 0
    return Trace(
        bundle=bundle,
        instructions=instructions,
        end=End(len(instructions), program.fault, program.counters, last + FETCH_CYCLES + ISSUE_CYCLES),
        ext=run.memory.ext[: bundle.ext_words].astype(np.uint32),
        ext_defined=run.ext_defined[: bundle.ext_words],
        scratchpad=run.memory.scratchpad.astype(np.uint32),
        defined=run.defined,
    )


class _Run:
    """The memories of one traced run, and which of their words are defined."""

    def __init__(self, bundle: Bundle, before: RunResult | None) -> None:
        self.memory = MachineMemory()
        self.memory.load_ext(bundle.ext, bundle.ext_words)
        self.ext_defined: Mask = np.ones(EXT_ADDRESS_WORDS, np.bool_)
        self.defined: Mask = np.zeros(SCRATCHPAD_WORDS, np.bool_)
        if bundle.scratchpad is not None:
            self.memory.scratchpad[: len(bundle.scratchpad)] = bundle.scratchpad
            self.defined[:] = True
        elif before is not None:
            self.memory.scratchpad[:] = before.scratchpad
            self.defined = before.defined.copy()

    def step(self, pc: int, program: DecodedProgram) -> TracedInstruction:
        """Execute the next instruction, which is the one at `pc`."""
        instruction, touched = program.instructions[pc], program.footprints[pc]
        front = FETCH_CYCLES + ISSUE_CYCLES
        last = int(program.last_cycles[pc])
        _, opcode, busy_mm, busy_dma, busy_vec = program.retires[pc].tolist()
        busy = CycleSpan((int(program.last_cycles[pc - 1]) if pc else 0) + front + 1, last)
        reads = self._reads(touched)
        target = _target(touched)
        overwritten = self._words("dst", *target)
        words, defined = self._execute(instruction)
        return TracedInstruction(
            instruction=instruction,
            busy=busy,
            reads=reads,
            overwritten=overwritten,
            written=self._words("dst", *target),
            writes=tuple(_writes(pc, instruction, busy, target, words, defined)),
            retire=Retire(pc, opcode, busy_mm, busy_dma, busy_vec, last),
        )

    def _reads(self, touched: Footprint) -> tuple[OperandWords, ...]:
        reads = [self._words(name, Memory.SCRATCHPAD, region) for name, region in touched.reads.items()]
        if touched.ext_reads is not None:
            reads.append(self._words("src", Memory.EXT, touched.ext_reads))
        return tuple(reads)

    def _words(self, name: str, memory: Memory, region: Region) -> OperandWords:
        """Return what a region holds now."""
        in_scratchpad = memory is Memory.SCRATCHPAD
        words = self.memory.scratchpad if in_scratchpad else self.memory.ext
        defined = self.defined if in_scratchpad else self.ext_defined
        addresses = region.addresses()
        return OperandWords(name, memory, region, words[addresses].astype(np.uint32), defined[addresses])

    def _execute(self, instruction: Instruction) -> tuple[WordArray, Mask]:
        """Execute an instruction; return every word that it writes, in order, and which are defined."""
        defined = defined_result(instruction, self.defined, self.ext_defined).ravel()
        if isinstance(instruction, Softmax):  # exponentials, then probabilities
            defined = np.concatenate([defined, defined])
        self.memory.results.clear()
        bind(instruction, self.memory)()
        propagate(instruction, self.defined, self.ext_defined)
        self.ext_defined[self.memory.ext_words :] = True  # such a write is dropped, and the word reads as 0
        words = np.concatenate([each.ravel() for each in self.memory.results])
        return words.astype(np.int64).astype(np.uint32), defined


def _target(touched: Footprint) -> tuple[Memory, Region]:
    """Return where an instruction writes; each one that executes has one place."""
    if touched.ext_writes is not None:
        return Memory.EXT, touched.ext_writes
    assert touched.writes is not None
    return Memory.SCRATCHPAD, touched.writes


def _writes(
    pc: int,
    instruction: Instruction,
    busy: CycleSpan,
    target: tuple[Memory, Region],
    words: WordArray,
    defined: Mask,
) -> Iterator[Write]:
    """Yield the writes of one instruction: over its result ascending, for SM twice."""
    memory, region = target
    addresses = region.addresses().ravel().tolist()
    if isinstance(instruction, Softmax):
        addresses *= 2
    first_write = busy.first + STORE_LEAD_CYCLES
    for position, (address, word, known) in enumerate(
        zip(addresses, words.tolist(), defined.tolist(), strict=True)
    ):
        span = CycleSpan.at(first_write + position) if isinstance(instruction, Store) else busy
        yield Write(memory, pc, address, word, span, 0 if known else ALL_BITS)
