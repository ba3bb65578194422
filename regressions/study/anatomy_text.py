"""The anatomy of a verifier block, for the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from regressions.study.anatomy import AnatomyStudy, Pair
from regressions.study.wording import target_name
from regressions.tables import number_table, uncut


def anatomy_title(study: AnatomyStudy) -> str:
    """Return what is compared."""
    target = target_name(study.target, study.target_seed)
    first, last = study.cached + 1, study.cached + study.rows
    contexts = f"context {first}" if first == last else f"contexts {first} to {last}"
    return (
        f"{target}: a verifier block of {study.rows} rows over {study.cached} cached, "
        f"and the plain steps of {contexts}"
    )


def anatomy_result(study: AnatomyStudy) -> str:
    """Return what the block costs of the steps, and the two greatest savings."""
    total = study.counters["cyc_total"]
    return f"the block takes {total.block:,} cycles, the steps {total.steps:,}: {study.ratio:.2f} of them"


def print_anatomy(study: AnatomyStudy, console: Console) -> None:
    """Print counters, instructions, and cycles by unit, stage and phase, side by side."""
    console.print(anatomy_title(study), style="bold")
    console.print(anatomy_result(study))
    counters = {**study.counters, "words loaded": study.words_loaded}
    _print_pairs(console, "counter", counters)
    _print_pairs(console, "instructions", study.instructions)
    units = {lane.title: pair for lane, pair in study.lanes.items()}
    _print_pairs(console, "cycles by unit", units)
    _print_pairs(console, "cycles by stage", study.stages)
    _print_pairs(console, "cycles of MM by phase", study.matrix_parts)


def _print_pairs(console: Console, name: str, pairs: Mapping[str, Pair]) -> None:
    table = number_table(f"{name:31}", "     block", "     steps", "     saved", "  part")
    for label, pair in pairs.items():
        part = f"{pair.block / pair.steps:.2f}" if pair.steps else "–"
        table.add_row(label, f"{pair.block:,}", f"{pair.steps:,}", f"{pair.saved:,}", part)
    console.print(uncut(table), crop=False)
