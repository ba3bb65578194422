"""One host loop run on the RTL: a typed object that crosses the process boundary as JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from refmodel.machine.result import Counters
from refmodel.speculative.block_loop import DecodeRun
from sequences.program_record import ProgramRecord


@dataclass(frozen=True)
class LoopOutcome:
    """What a decoding produced, what it cost, and what the scoreboard said of it."""

    tokens: tuple[int, ...]
    accepted: int
    proposed: int
    blocks: int
    programs: int
    counters: Counters
    """Sums over all programs, as the RTL counted."""
    records: tuple[ProgramRecord, ...]
    """One a program, in order."""
    comparisons: int
    mismatches: tuple[str, ...]
    seconds: float
    """Wall clock, compiling included."""

    @classmethod
    def of(
        cls,
        run: DecodeRun,
        records: tuple[ProgramRecord, ...],
        comparisons: int,
        mismatches: tuple[str, ...],
        seconds: float,
    ) -> LoopOutcome:
        """Sum up a run and its programs."""
        counters = sum((record.counters for record in records), Counters())
        return cls(
            run.tokens,
            run.accepted,
            run.proposed,
            run.blocks,
            run.programs,
            counters,
            records,
            comparisons,
            mismatches,
            seconds,
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> LoopOutcome:
        """Return what `to_json` was called on."""
        records = tuple(
            ProgramRecord(
                **{
                    **record,
                    "counters": Counters(**record["counters"]),
                    "choices": tuple(record["choices"]),
                }
            )
            for record in values["records"]
        )
        return cls(
            **{
                **values,
                "tokens": tuple(values["tokens"]),
                "counters": Counters(**values["counters"]),
                "records": records,
                "mismatches": tuple(values["mismatches"]),
            }
        )
