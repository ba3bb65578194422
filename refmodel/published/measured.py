"""The published figures as the reference model computes them today, in the shape of `figures.json`.

The tests compare them with the published ones. After an intended change of the cycle law the command
`figures` proposes them for review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from refmodel.capra.program import Program
from refmodel.isa.encoding import decode
from refmodel.isa.instructions import Load, Opcode
from refmodel.machine.result import Counters
from refmodel.published import figures
from refmodel.published.decoder import PublishedDecoder
from refmodel.speculative.cost_model import predicted_speedup
from refmodel.speculative.model_runner import ModelRun

CACHED = 12
"""Rows in the cache of the programs that stand for all in the cost model."""


MEASURED_ELSEWHERE = ("causality", "random_seed1_k3_chip_blocks")
"""Figures that do not depend on time; they have tests of their own and are returned as published."""


def measured_figures(
    shape: PublishedDecoder, model: PublishedDecoder, on_progress: Callable[[], object] = lambda: None
) -> dict[str, Any]:
    """Return all figures; every count, cycle and speedup of programs and decodings is measured on the model.

    The decoders plan scales per shape and per role. `on_progress` is called after each of the decodings, of
    which `decodings()` says the number.
    """
    published = figures()

    def decoded(decoder: PublishedDecoder, key: str) -> Iterator[dict[str, Any]]:
        for row in published[key]:
            yield row | {name: value for name, value in _run(decoder.run(row)).items() if name in row}
            on_progress()

    def swept() -> Iterator[dict[str, Any]]:
        for cell in published["sweep"]:
            yield cell | _cell(shape, cell)
            on_progress()

    verifier = published["verifier"]
    return published | {
        "runs": list(decoded(shape, "runs")),
        "verifier": verifier | _block(shape.verifier(verifier["c"], verifier["m"]), shape),
        "verifier_cycles_m4": {
            cached: shape.counters(shape.verifier(int(cached))).cyc_total
            for cached in published["verifier_cycles_m4"]
        },
        "draft_cycles": shape.counters(shape.draft()).cyc_total,
        "plain_cycles": {
            context: shape.counters(shape.plain_step(int(context))).cyc_total
            for context in published["plain_cycles"]
        },
        "plain_words_loaded": {
            context: words_loaded(shape.plain_step(int(context)))
            for context in published["plain_words_loaded"]
        },
        "sweep": list(swept()),
        "cost_model": [cell | {"predicted": _predicted(shape, cell)} for cell in published["cost_model"]],
        "model_scales": list(decoded(model, "model_scales")),
    }


def decodings() -> int:
    """Return how many decodings `measured_figures` goes through."""
    published = figures()
    return sum(len(published[key]) for key in ("runs", "sweep", "model_scales"))


def words_loaded(program: Program) -> int:
    """Return the words that a program's loads fetch."""
    return sum(word.length for word in map(decode, program.code) if isinstance(word, Load))


def _run(done: ModelRun) -> dict[str, int]:
    run = done.run
    return {
        "accepted": run.accepted,
        "proposed": run.proposed,
        "blocks": run.blocks,
        "programs": run.programs,
        "cycles": done.counters.cyc_total,
    }


def _block(program: Program, decoder: PublishedDecoder) -> dict[str, Any]:
    counters: Counters = decoder.counters(program)
    return {
        "ops": dict(Counter(Opcode(word >> 124).name for word in program.code)),
        "words_loaded": words_loaded(program),
        **{name: getattr(counters, name) for name in ("cyc_total", "cyc_mm", "cyc_dma", "cyc_vec", "n_inst")},
    }


def _cell(decoder: PublishedDecoder, cell: dict[str, Any]) -> dict[str, Any]:
    done = decoder.speculative("structured", 1, cell["k"], cell["noise"])
    plain = decoder.plain("structured", 1)
    return {
        "acceptance_percent": round(100 * done.run.accepted / done.run.proposed),
        "speedup": round(plain.counters.cyc_total / done.counters.cyc_total, 2),
    }


def _predicted(decoder: PublishedDecoder, cell: dict[str, Any]) -> float:
    k = cell["k"]
    run = decoder.speculative("structured", 1, k, cell["noise"]).run
    programs = decoder.plain_step(CACHED + 1), decoder.draft(), decoder.verifier(CACHED, k + 1)
    costs = [decoder.counters(program).cyc_total for program in programs]
    return round(predicted_speedup(run.accepted / run.proposed, k, *costs), 2)
