"""The source map of the language steps: true on the machine, and in the words of a transformer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
import pytest

from refmodel.capra.program import Program
from refmodel.capra.tests.mapped_program import MappedProgram
from refmodel.capra.tests.source_map_checks import CHECKS
from refmodel.language.draft import bigram_draft
from refmodel.language.programs import CompiledDraft, CompiledTarget, ProgramFamily
from refmodel.language.target import sharp
from refmodel.source_map.role import Role

STEPS = ("plain 1", "plain 6", "verifier 0 1", "verifier 4 3", "verifier 7 4", "draft")


@cache
def compiled() -> tuple[CompiledTarget, CompiledDraft]:
    family = ProgramFamily(sharp(1), "model", 12)
    return family.for_speculation(bigram_draft(family.target), 2)


def step(name: str) -> Program:
    targets, drafts = compiled()
    kind, *sizes = name.split()
    match kind, [int(size) for size in sizes]:
        case "plain", [context]:
            return targets.plain(context)
        case "verifier", [cached, rows]:
            return targets.verifier(cached, rows)
        case _:
            return drafts.draft()


@lru_cache(maxsize=2)
def mapped(name: str) -> MappedProgram:
    generator = np.random.default_rng(len(name))
    inputs = {key: generator.normal(size=port.shape) for key, port in step(name).inputs.items()}
    return MappedProgram(step(name), inputs)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", STEPS)
def test_the_map_is_true(check: Callable[[MappedProgram], None], name: str) -> None:
    check(mapped(name))


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("plain 6", Role("plain", "sharp", 5, 1)),
        ("verifier 4 3", Role("verifier", "sharp", 4, 3)),
        ("draft", Role("draft", "sharp", 0, 1)),
    ],
)
def test_the_map_tells_the_role(name: str, role: Role) -> None:
    assert step(name).source_map.role == role


@pytest.mark.parametrize("name", STEPS)
def test_every_tensor_has_a_name_of_its_own(name: str) -> None:
    """None is called by its operation and number, as in `softmax_12`."""
    source_map = step(name).source_map
    for place in source_map.scratchpad:
        assert not any(character.isdigit() for character in place.tensor.name.removeprefix("w")[1:])
    names = {(str(place.tensor), place.tensor.kind) for place in source_map.scratchpad}
    assert len(names) == len(source_map.scratchpad)


def test_a_verifier_block_speaks_of_its_rows() -> None:
    program = step("verifier 4 3")
    sources = [str(source) for source in program.source_map.instructions]
    assert sources[:8] == [
        "load of x",
        "load of wq",
        "q, columns 0..3",
        "q, columns 4..7",
        "q, columns 8..11",
        "q, columns 12..15",
        "q",
        "load of wk",
    ]
    first = sources.index("scores[row 2], columns 0..3")
    assert sources[first : first + 10] == [
        "scores[row 2], columns 0..3",
        "scores[row 2], columns 4..6",
        "scores[row 2]",
        "probabilities[row 2]",
        "probabilities[row 2]",
        "attn[row 2], columns 0..3",
        "attn[row 2], columns 4..7",
        "attn[row 2], columns 8..11",
        "attn[row 2], columns 12..15",
        "attn[row 2]",
    ]
    assert sources[-9:] == [
        "logits",
        "tok[row 0]",
        "tok[row 1]",
        "tok[row 2]",
        "store of tok",
        "store of logits",
        "store of k_new",
        "store of v_new",
        "None",
    ]
    assert {"projected", "x_for_h", "projected_for_h", "h", "before_relu, columns 28..31", "relu"} < {
        *sources
    }
