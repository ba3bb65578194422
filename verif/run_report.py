"""What a simulation tells the outside: one JSON file, written whole or not at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from refmodel.errors import Ga2Error
from refmodel.printable import printable
from sequences.document import Limits, read_json
from sequences.whole_file import write_json
from verif.scoreboard.verdict import Aspect, Mismatch

REPORT, COVERAGE, FAILING_SERIES = "report.json", "coverage.json", "failing"
"""What a test leaves in its directory: its report, its coverage, the programs up to the first that failed."""

_LIMITS = Limits(values=8_000_000, members=2_000_000)
"""The report comes from our own simulation, and may hold the memories of many programs."""

ErrorKind = Literal["hang", "input", "internal"]
"""The chip did not halt; the request cannot be met; the bench itself failed."""


@dataclass
class RunReport:
    """The outcome of one UVM test in one simulation."""

    test: str
    programs: int = 0
    """Programs whose result was compared with the model's."""
    comparisons: int = 0
    """Values compared."""
    cycles: int = field(default=0, kw_only=True)
    """Cycles of those programs, by the chip's own counters."""
    mismatches: list[Mismatch] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    checks: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each harness check how often it looked and how often it failed."""
    payload: dict[str, Any] = field(default_factory=dict)
    """What the test was run for, as JSON values."""
    error_kind: ErrorKind | None = None
    error: str = ""
    failure: str | None = None
    """The folder of the failure that was explained (verif/failure)."""
    explanation: str = ""
    """The first divergence in a sentence, or why the failure could not be explained."""
    shrunk: str = ""
    """What the failing programs shrank to, in a sentence, or why they did not."""

    @property
    def passed(self) -> bool:
        """Did the test run to its end, compare something and find nothing wrong?"""
        return self.error_kind is None and not self.mismatches and self.comparisons > 0

    @property
    def first_wrong(self) -> str:
        """The first thing that kept it from passing; empty if it has passed."""
        if self.passed:
            return ""
        return self.error or str(next(iter(self.mismatches), "nothing was compared"))

    def write(self, path: Path) -> None:
        """Write the report in one step."""
        document = asdict(self)
        document["mismatches"] = [{**vars(each), "aspect": each.aspect.name} for each in self.mismatches]
        write_json(path, document, indent=None)

    @classmethod
    def read(cls, path: Path) -> RunReport:
        """Read a report back. Raises Ga2Error when there is none or it is damaged."""
        try:
            document = read_json(path, _LIMITS)
            document["mismatches"] = [
                Mismatch(**{**each, "aspect": Aspect[each["aspect"]]}) for each in document["mismatches"]
            ]
            document["checks"] = {name: tuple(counts) for name, counts in document["checks"].items()}
            return cls(**document)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise Ga2Error(f"{path} is not the report of a run: {printable(error, 60)}") from error
