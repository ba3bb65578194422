"""What a picture, a text and a save file of a window show: the dump, the divergence and its marker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from refmodel.machine.disassembler import disassemble_word
from refmodel.machine.trace import Trace
from verif.divergence.divergence import Divergence
from verif.divergence.kind import DivergenceKind
from verif.waves.choice import fetch_cycle, last_cycle, shown_cycle
from verif.waves.dump import Value, WaveDump, WaveError
from verif.waves.window import WaveWindow


@dataclass(frozen=True)
class Stretch:
    """The cycles of one instruction, as the model has them."""

    pc: int
    text: str
    """Its disassembly."""
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Scene:
    """A window that was dumped."""

    dump: WaveDump
    window: WaveWindow
    divergence: Divergence
    trace: Trace
    """The model's, of the pass that the window is in."""

    @cached_property
    def edges(self) -> dict[int, int]:
        """The cycles that the dump holds, each with the tick at which it begins. WaveError for none."""
        edges = self.dump.cycles(self.window)
        if not edges:
            raise WaveError(
                f"{self.dump.path} holds none of the cycles {self.window.first}..{self.window.last}"
            )
        return edges

    @cached_property
    def marker(self) -> int:
        """The cycle of the divergence, or the nearest one that the dump holds."""
        return min(self.edges, key=lambda cycle: abs(cycle - shown_cycle(self.divergence)))

    def around_marker(self, before: int, after: int) -> list[int]:
        """Return the cycles round the marker, so many before and after; more of one where the other ends."""
        first, last = min(self.edges), max(self.edges)
        begin = max(first, min(self.marker - before, last - before - after))
        return [cycle for cycle in range(begin, begin + before + after + 1) if cycle in self.edges]

    def values(self, name: str, cycles: list[int]) -> list[Value] | None:
        """Return what a signal was in each of the cycles; None if there is no such signal."""
        return self.dump.values(name, [self.edges[cycle] for cycle in cycles])

    @property
    def stretches(self) -> list[Stretch]:
        """The diverging instruction, the one before and the one after; fewer at an end of the program."""
        pcs = [pc for pc in range(self.divergence.pc - 1, self.divergence.pc + 2) if pc >= 0]
        return [
            Stretch(pc, self._text(pc), fetch_cycle(self.trace, pc), last_cycle(self.trace, pc))
            for pc in pcs
            if pc <= self.trace.end.pc
        ]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What should have come and what came, each with its label; a broken rule is a sentence."""
        if self.divergence.kind is DivergenceKind.RULE:
            return [("rule", self.divergence.message)]
        return [("expected", self.divergence.expected_text), ("found", self.divergence.found_text)]

    @property
    def headline(self) -> str:
        """What diverges, where."""
        return self.divergence.headline

    def _text(self, pc: int) -> str:
        code = self.trace.bundle.code
        return disassemble_word(code[pc] if pc < len(code) else 0)
