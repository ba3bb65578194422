"""A verifier block taken apart, beside the plain steps that it stands for: where its cycles are saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from refmodel.errors import Ga2Error
from refmodel.isa.instructions import Opcode
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import MAX_CONTEXT, make_target
from refmodel.machine.result import Counters
from refmodel.published import figures
from regressions.published.table import Figure
from regressions.study.program_anatomy import STAGES, ProgramAnatomy, program_anatomy
from regressions.study.published import figures_json
from regressions.timeline.lane import Lane

Key = TypeVar("Key")


@dataclass(frozen=True)
class Pair:
    """One quantity of the block, and the sum over the plain steps."""

    block: int
    steps: int

    @property
    def saved(self) -> int:
        """What the block spares; negative where it takes more."""
        return self.steps - self.block


@dataclass(frozen=True)
class AnatomyStudy:
    """A block of m rows over c cached rows, and the plain steps of contexts c + 1 to c + m."""

    target: str
    target_seed: int
    scales: ScaleMode
    cached: int
    rows: int
    block: ProgramAnatomy
    steps: tuple[ProgramAnatomy, ...]
    figures: tuple[Figure, ...]
    """Those that are published."""

    @property
    def ratio(self) -> float:
        """The block's cycles over those of the steps."""
        total = self.counters["cyc_total"]
        return total.block / total.steps

    @property
    def counters(self) -> dict[str, Pair]:
        """The five counters by name."""
        steps = sum((step.counters for step in self.steps), Counters())
        return {
            name: Pair(value, getattr(steps, name)) for name, value in asdict(self.block.counters).items()
        }

    @property
    def instructions(self) -> dict[str, Pair]:
        """Instructions by mnemonic."""
        return _pairs(
            (opcode.name for opcode in Opcode),
            self.block.instructions,
            [step.instructions for step in self.steps],
        )

    @property
    def lanes(self) -> dict[Lane, Pair]:
        """Cycles by who spends them."""
        return _pairs(Lane, self.block.lanes, [step.lanes for step in self.steps])

    @property
    def stages(self) -> dict[str, Pair]:
        """Cycles by stage."""
        return _pairs(STAGES, self.block.stages, [step.stages for step in self.steps])

    @property
    def matrix_parts(self) -> dict[str, Pair]:
        """Cycles of the matrix unit by phase."""
        return _pairs(
            self.block.matrix_parts, self.block.matrix_parts, [step.matrix_parts for step in self.steps]
        )

    @property
    def words_loaded(self) -> Pair:
        """Words that LD moves."""
        return Pair(self.block.words_loaded, sum(step.words_loaded for step in self.steps))

    def to_json(self) -> dict[str, Any]:
        """Return it as docs/studies.md describes it."""
        return {
            "study": "anatomy",
            "target": self.target,
            "target_seed": self.target_seed,
            "scales": self.scales,
            "cached": self.cached,
            "rows": self.rows,
            "ratio": self.ratio,
            "counters": _pairs_json(self.counters),
            "instructions": _pairs_json(self.instructions),
            "units": _pairs_json({lane.name.lower(): pair for lane, pair in self.lanes.items()}),
            "stages": _pairs_json(self.stages),
            "matrix_parts": _pairs_json(self.matrix_parts),
            "words_loaded": asdict(self.words_loaded),
            "step_cycles": {
                str(self.cached + number): step.counters.cyc_total
                for number, step in enumerate(self.steps, 1)
            },
            "published": figures_json(self.figures),
        }


def study_anatomy(
    cached: int, rows: int, target: str = "structured", target_seed: int = 1, scales: ScaleMode = "shape"
) -> AnatomyStudy:
    """Take a verifier block and its plain steps apart.

    Raises Ga2Error unless 0 ≤ cached, 1 ≤ rows, and both fit the context.
    """
    if cached < 0 or rows < 1 or cached + rows > MAX_CONTEXT:
        raise Ga2Error(
            f"a block of {rows} rows over {cached} cached ones: give at least 1 row, no fewer than 0 cached, "
            f"and at most {MAX_CONTEXT} together"
        )
    programs = ProgramFamily(make_target(target, target_seed), scales, cached + rows).for_plain()
    block = program_anatomy(programs.verifier(cached, rows))
    steps = tuple(program_anatomy(programs.plain(cached + row)) for row in range(1, rows + 1))
    judged = tuple(_figures(cached, rows, block, steps))
    return AnatomyStudy(target, target_seed, scales, cached, rows, block, steps, judged)


def _figures(
    cached: int, rows: int, block: ProgramAnatomy, steps: Sequence[ProgramAnatomy]
) -> Iterator[Figure]:
    """Yield what is published of a block and of plain steps; neither depends on target or scales."""
    published = figures()
    verifier = published["verifier"]
    if rows == verifier["m"] and str(cached) in published["verifier_cycles_m4"]:
        cycles = published["verifier_cycles_m4"][str(cached)]
        yield Figure("block: cyc_total", cycles, block.counters.cyc_total)
        if cached == verifier["c"]:
            for name in ("cyc_mm", "cyc_dma", "cyc_vec", "n_inst"):
                yield Figure(f"block: {name}", verifier[name], getattr(block.counters, name))
            for name, count in verifier["ops"].items():
                yield Figure(f"block: {name}", count, block.instructions[name])
            yield Figure("block: words loaded", verifier["words_loaded"], block.words_loaded)
    for context, step in enumerate(steps, cached + 1):
        if str(context) in published["plain_cycles"]:
            place = f"step of context {context}"
            cycles = published["plain_cycles"][str(context)]
            words = published["plain_words_loaded"][str(context)]
            yield Figure(f"{place}: cyc_total", cycles, step.counters.cyc_total)
            yield Figure(f"{place}: words loaded", words, step.words_loaded)


def _pairs(keys: Iterable[Key], block: Counter[Key], steps: Sequence[Counter[Key]]) -> dict[Key, Pair]:
    """Return what block and steps have under each key; nothing that neither has."""
    pairs = {key: Pair(block[key], sum(step[key] for step in steps)) for key in keys}
    return {key: pair for key, pair in pairs.items() if pair.block or pair.steps}


def _pairs_json(pairs: Mapping[str, Pair]) -> dict[str, dict[str, int]]:
    return {name: {**asdict(pair), "saved": pair.saved} for name, pair in pairs.items()}
