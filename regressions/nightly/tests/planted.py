"""Copies of the RTL with bugs in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verif.qualification.mutants import MUTANTS
from verif.qualification.mutated_rtl import MIRRORS, write_mutated_rtl

ROUNDING, TIES, CLEARING = "requantizer_rounds_down", "last_maximum", "accumulator_not_cleared"
"""Two in the vector unit, and one that shows what nothing has set."""


def plant(names: tuple[str, ...], directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let simulations of this process and of its workers run on RTL with these bugs."""
    chosen = [mutant for mutant in MUTANTS if mutant.name in names]
    file_list = write_mutated_rtl(directory, chosen)
    for source in directory.glob("*.sv"):
        text = source.read_text(encoding="utf-8")
        source.write_text(re.sub(r"= \$test\$plusargs\([^)]*\) != 0;", "= 1;", text), encoding="utf-8")
    monkeypatch.setenv("RTL", str(file_list))
    monkeypatch.setenv("MIRRORS", MIRRORS)
