"""The compiled programs: made when asked for, once, and shared where their scales agree."""

from __future__ import annotations

import pytest

from refmodel.language.draft import bigram_draft
from refmodel.language.programs import ProgramFamily, ScaleMode
from refmodel.language.target import structured


@pytest.mark.parametrize("scales", ["shape", "model"])
def test_a_program_is_compiled_once(scales: ScaleMode) -> None:
    family = ProgramFamily(structured(), scales, 8)
    targets, drafts = family.for_speculation(bigram_draft(structured()), 2)
    assert targets.plain(3) is targets.plain(3)
    assert targets.verifier(3, 3) is targets.verifier(3, 3)
    assert targets.verifier(3, 3) is not targets.verifier(4, 3)
    assert drafts.draft() is drafts.draft()


def test_plain_steps_are_shared_by_all_drafts_and_blocks_only_under_model_scales() -> None:
    for scales, shared in (("shape", False), ("model", True)):
        family = ProgramFamily(structured(), scales, 8)  # type: ignore[arg-type]
        first, _ = family.for_speculation(bigram_draft(structured(), 0), 2)
        second, _ = family.for_speculation(bigram_draft(structured(), 3), 2)
        assert first.plain(2) is second.plain(2) is family.for_plain().plain(2)
        assert (first.verifier(3, 3) is second.verifier(3, 3)) == shared


def test_the_ports_are_those_the_host_loop_relies_on() -> None:
    targets = ProgramFamily(structured(), "shape", 8).for_plain()
    assert list(targets.plain(1).inputs) == ["x"]
    assert list(targets.plain(5).inputs) == ["x", "kc", "vc"]
    assert list(targets.plain(5).outputs) == ["tok", "logits", "k_new", "v_new"]
    block = targets.verifier(4, 3)
    assert {name: port.shape for name, port in block.inputs.items()} == {
        "x": (3, 16),
        "kc": (4, 16),
        "vc": (4, 16),
    }
    assert {name: port.shape for name, port in block.outputs.items()} == {
        "attn": (3, 16), "tok": (3, 1), "logits": (3, 16), "k_new": (3, 16), "v_new": (3, 16),
    }  # fmt: skip
