"""The sentences of docs/isa.md that bind the chip at its pins and in time, and what holds it to each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from regressions.testplan.plan import Plan
from verif.bfm.check import Check

SECTIONS = ("Ports", "Reads and writes", "Faults", "Time")


def contract_sentences(isa: str) -> Iterator[str]:
    """Yield each sentence, table row, item and formula of SECTIONS, with single spaces.

    `isa` is the text of docs/isa.md. Raises ValueError when a section is missing.
    """
    for section in SECTIONS:
        found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", isa, re.MULTILINE | re.DOTALL)
        if found is None:
            raise ValueError(f"docs/isa.md has no section {section!r}; correct SECTIONS in {__name__}")
        for block in re.split(r"\n\n+", found[1].strip("\n")):
            yield from (" ".join(sentence.split()) for sentence in _split(block))


def _split(block: str) -> list[str]:
    if block.startswith("|"):
        return block.split("\n")[2:]
    if block.startswith("    "):
        return block.split("\n")
    if block.startswith("- "):
        return re.split(r"^- ", block, flags=re.MULTILINE)[1:]
    return re.split(r"(?<=\.)\s+(?=[A-Z`*])", block)


def contract_problems(plan: Plan, sentences: Sequence[str]) -> Iterator[str]:
    """Yield each sentence that nothing judges, and each quote that is not in exactly one sentence."""
    quotes = [sentence.quote for sentence in plan.sentences]
    for sentence in sentences:
        if not any(quote in sentence for quote in [*quotes, *(check.sentence for check in Check)]):
            yield f"nothing judges {sentence!r}; name a check after it, or say in plan.toml what judges it"
    for quote in quotes:
        count = sum(quote in sentence for sentence in sentences)
        if count != 1:
            yield f"{quote!r} of plan.toml is in {count} sentences of docs/isa.md instead of 1"
