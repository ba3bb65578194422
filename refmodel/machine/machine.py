"""The reference machine: runs a bundle and says what must be found afterwards (docs/isa.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Instruction, Store
from refmodel.isa.limits import EXT_ADDRESS_WORDS, SCRATCHPAD_WORDS
from refmodel.isa.regions import footprint
from refmodel.isa.syntax import format_instruction
from refmodel.isa.timing import FETCH_CYCLES, ISSUE_CYCLES, STORE_LEAD_CYCLES
from refmodel.machine.bundle import Bundle
from refmodel.machine.decoded_program import DecodedProgram, decode_program
from refmodel.machine.definedness import Mask, abandon, propagate, undefined_reads
from refmodel.machine.memory import MachineMemory
from refmodel.machine.operations import Step, bind
from refmodel.machine.result import Counters, RunResult


class EndlessProgramError(Ga2Error):
    """A program fills the program memory without HALT or fault."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "the program never ends: its pc wraps at 65,535; end it with HALT, or cut it with rst"
        )


class UninitializedRead(Ga2Error):  # noqa: N818 -- the name says what happened, as in the field
    """A strict machine met an instruction that reads a scratchpad word nobody has defined."""

    def __init__(self, pc: int, instruction: Instruction, address: int) -> None:
        """Name the instruction and the first such word."""
        super().__init__(
            f"pc {pc}: {format_instruction(instruction)} reads scratchpad word {address}, which nothing has "
            "written; load it first, or give the bundle a scratchpad image"
        )
        self.pc = pc
        self.address = address


class Machine:
    """A GA2 with its scratchpad, which lives on from program to program as the chip's does.

    A machine starts with nothing defined in its scratchpad. With `strict` it refuses to run a program that
    would read an undefined word; otherwise such words, and what depends on them, are marked undefined in the
    result.
    """

    def __init__(self, *, strict: bool = False) -> None:
        """Make a machine whose scratchpad has never been written."""
        self.strict = strict
        self._memory = MachineMemory()
        self._defined: Mask = np.zeros(SCRATCHPAD_WORDS, np.bool_)
        self._steps: WeakKeyDictionary[DecodedProgram, tuple[Step, ...]] = WeakKeyDictionary()

    def reset_scratchpad(self) -> None:
        """Forget everything the scratchpad holds, as if no program had run yet; the chip's `rst` does not."""
        self._memory.scratchpad[:] = 0
        self._defined[:] = False

    def resume(self, before: RunResult) -> None:
        """Take the scratchpad as another machine left it."""
        self._memory.scratchpad[:] = before.scratchpad
        self._defined = before.defined.copy()

    def run(
        self, bundle: Bundle, timed: DecodedProgram | None = None, ext_known: Mask | None = None
    ) -> RunResult:
        """Run a program to its HALT or fault.

        `timed` is the decoded program with other busy times than the fixed read latency gives. `ext_known`,
        bool[ext_words], tells which external words have a value at the start; None: all of them. Raises
        EndlessProgramError; and UninitializedRead, before the program has any effect on the scratchpad, if
        the machine is strict.
        """
        program = timed or decode_program(bundle.code, bundle.read_latency)
        if program.endless:
            raise EndlessProgramError
        self._load(bundle)
        ext_defined, undefined_results = self._define(program, bundle.ext_words, ext_known)
        steps = self._steps.get(program)
        if steps is None:
            steps = tuple(bind(instruction, self._memory) for instruction in program.instructions)
            self._steps[program] = steps
        for step in steps:
            step()
        stray = 0
        if program.ext_end > bundle.ext_words:
            stray = _stray_ext_accesses(program.instructions, bundle.ext_words)
        return RunResult(
            halted=True,
            fault=program.fault,
            counters=program.counters,
            ext=self._memory.ext[: bundle.ext_words].astype(np.uint32),
            scratchpad=self._memory.scratchpad.astype(np.uint32),
            defined=self._defined.copy(),
            retires=program.retires,
            ext_defined=ext_defined,
            results=tuple(self._memory.results),
            undefined_results=undefined_results,
            stray_ext_accesses=stray,
        )

    def run_until_reset(
        self,
        bundle: Bundle,
        cycle: int,
        timed: DecodedProgram | None = None,
        ext_known: Mask | None = None,
    ) -> RunResult:
        """Run a program with `rst` high in one cycle; FETCH of pc 0 is cycle 1.

        So `start` is high in cycle 0. Instructions that are busy for the last time before `cycle` complete.
        Of an ST caught by the reset, the words written up to and in `cycle` stay, since a write is never
        refused; of any other instruction the words it writes become undefined. Afterwards the chip is idle:
        halted, fault and all counters are 0. `timed` and `ext_known` as for `run`. Raises ValueError for a
        cycle before the first, and UninitializedRead if the machine is strict.
        """
        if cycle < 1:
            raise ValueError(f"reset in cycle {cycle}: the first cycle of a program is 1")
        program = timed or decode_program(bundle.code, bundle.read_latency)
        self._load(bundle)
        completed = int(np.searchsorted(program.last_cycles, cycle, side="left"))
        executed = list(program.instructions[:completed])
        caught = _caught_by_reset(program, completed, cycle)
        if isinstance(caught, Store):
            executed += [caught]
        scratchpad_defined, ext_defined, undefined_results = self._walk(executed, bundle.ext_words, ext_known)
        steps = {each: bind(each, self._memory) for each in set(executed)}
        for instruction in executed:
            steps[instruction]()
        if caught is not None:
            abandon(caught, scratchpad_defined)
        self._defined = scratchpad_defined
        return RunResult(
            halted=False,
            fault=False,
            counters=Counters(),
            ext=self._memory.ext[: bundle.ext_words].astype(np.uint32),
            scratchpad=self._memory.scratchpad.astype(np.uint32),
            defined=self._defined.copy(),
            retires=program.retires[:completed],
            ext_defined=None if ext_defined.all() else ext_defined,
            results=tuple(self._memory.results),
            undefined_results=undefined_results,
            stray_ext_accesses=_stray_ext_accesses(executed, bundle.ext_words),
        )

    def _load(self, bundle: Bundle) -> None:
        """Set the memories as the bundle says."""
        self._memory.results.clear()
        self._memory.load_ext(bundle.ext, bundle.ext_words)
        if bundle.scratchpad is not None:
            self._memory.scratchpad[: len(bundle.scratchpad)] = bundle.scratchpad
            self._memory.scratchpad[len(bundle.scratchpad) :] = 0
            self._defined[:] = True

    def _define(
        self, program: DecodedProgram, ext_words: int, ext_known: Mask | None
    ) -> tuple[Mask | None, tuple[int, ...]]:
        """Update the scratchpad's mask for a program.

        Return external memory's, or None if it is all true, and the instructions that write undefined words.
        """
        if (
            ext_known is None
            and self._defined[program.interface.reads].all()
            and not program.overlaps_partially
        ):
            np.logical_or(self._defined, program.interface.writes, out=self._defined)
            return None, ()
        self._defined, ext_defined, undefined_results = self._walk(program.instructions, ext_words, ext_known)
        return None if ext_defined.all() else ext_defined, undefined_results

    def _walk(
        self, instructions: Iterable[Instruction], ext_words: int, ext_known: Mask | None
    ) -> tuple[Mask, Mask, tuple[int, ...]]:
        """Return the masks of scratchpad and external memory after some instructions, the first at pc 0.

        The third value lists those that write undefined words.
        """
        scratchpad = self._defined.copy()
        ext = np.ones(EXT_ADDRESS_WORDS, np.bool_)
        if ext_known is not None:
            ext[:ext_words] = ext_known
        undefined_results = []
        for pc, instruction in enumerate(instructions):
            if self.strict:
                undefined = undefined_reads(instruction, scratchpad)
                if len(undefined):
                    raise UninitializedRead(pc, instruction, int(undefined[0]))
            if not propagate(instruction, scratchpad, ext):
                undefined_results.append(pc)
            ext[ext_words:] = True  # such a write is dropped, and the word reads as 0
        return scratchpad, ext[:ext_words], tuple(undefined_results)


def _caught_by_reset(program: DecodedProgram, completed: int, cycle: int) -> Instruction | None:
    """Return the instruction that is busy in `cycle`; of an ST, one of the words written by then."""
    if completed == len(program.instructions):
        return None
    instruction = program.instructions[completed]
    before = int(program.last_cycles[completed - 1]) if completed else 0
    busy_so_far = cycle - before - FETCH_CYCLES - ISSUE_CYCLES
    if busy_so_far < 1:
        return None
    if not isinstance(instruction, Store):
        return instruction
    written = busy_so_far - STORE_LEAD_CYCLES
    return replace(instruction, length=written) if written > 0 else None


def _stray_ext_accesses(instructions: Iterable[Instruction], ext_words: int) -> int:
    """Count the words beyond `ext_words` that some instructions read or write."""
    touched = (footprint(instruction) for instruction in instructions)
    regions = (region for each in touched for region in (each.ext_reads, each.ext_writes) if region)
    return sum(int((region.addresses() >= ext_words).sum()) for region in regions)
