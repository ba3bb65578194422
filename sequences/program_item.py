"""The sequence item: one program with its memory image and the stimulus it runs under."""

from __future__ import annotations

from pyuvm import uvm_sequence_item

from refmodel.machine.bundle import Bundle
from refmodel.machine.result import RunResult
from sequences.stimulus import PLAIN, Stimulus


class ProgramItem(uvm_sequence_item):
    """One program for the RTL. The driver fills in `result` before it lets the sequence go on."""

    def __init__(self, name: str = "program") -> None:
        """Make an item without a program; `create` and then set the fields, so that overrides work."""
        super().__init__(name)
        self.bundle: Bundle | None = None
        self.stimulus: Stimulus = PLAIN
        self.strays_expected = False
        """Is the program meant to access external memory beyond ext_words? Otherwise that is a failure."""
        self.traced = False
        """Is every event of the run to be kept? That is slow, and for a program that must be understood."""
        self.result: RunResult | None = None
        """What the RTL left behind."""
        self.failure: Exception | None = None
        """Why there is no result."""

    def set(self, bundle: Bundle, stimulus: Stimulus = PLAIN, *, strays_expected: bool = False) -> None:
        """Fill in the program."""
        self.bundle = bundle
        self.stimulus = stimulus
        self.strays_expected = strays_expected

    def program(self) -> Bundle:
        """Return the bundle; an item without one must never reach the driver."""
        assert self.bundle is not None, f"item {self.get_name()} was sent without a program"
        return self.bundle

    def outcome(self) -> RunResult:
        """Return the result of an item that has come back; raise what the driver met instead of one."""
        if self.failure is not None:
            raise self.failure
        assert self.result is not None, f"item {self.get_name()} has no result yet"
        return self.result
