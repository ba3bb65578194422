"""What UVM tests send where their parameters leave something out, seen without a simulator."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from refmodel.machine.bundle import DEFAULT_READ_LATENCY
from sequences.compiled_sequence import CompiledSequence
from sequences.draft_step import DraftStepSequence
from sequences.random_graphs.graph_sequence import RandomGraphSequence
from sequences.verifier_block import VerifierBlockSequence
from verif.run_report import RunReport
from verif.uvm_tests.base_test import BenchTest
from verif.uvm_tests.language import LanguageTest
from verif.uvm_tests.random_graphs import RandomGraphTest


def read(kind: type[BenchTest], **parameters: Any) -> Any:
    """Return parameters as the test reads them."""
    return kind.Parameters.model_validate_json(json.dumps(parameters))


def run_to_the_end(test: BenchTest) -> None:
    """Run a stimulus in which nothing waits for a simulator."""
    with pytest.raises(StopIteration):
        test.stimulate().send(None)


def language_sequences(monkeypatch: pytest.MonkeyPatch, **family: Any) -> list[CompiledSequence]:
    """Return what the test would start."""
    started: list[CompiledSequence] = []

    async def start(_: LanguageTest, sequence: CompiledSequence) -> None:
        started.append(sequence)

    monkeypatch.setattr(LanguageTest, "_start", start)
    test = LanguageTest.__new__(LanguageTest)
    families = [{"target": "structured", "target_seed": 1, "scales": "shape", **family}]
    test.parameters = read(LanguageTest, families=families, seed=1)
    test.report = RunReport("LanguageTest")
    run_to_the_end(test)
    assert test.report.payload["guesses"] == [[]]
    return started


def test_language_sends_every_shape_and_every_token(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, steps = language_sequences(monkeypatch)
    assert isinstance(blocks, VerifierBlockSequence)
    assert isinstance(steps, DraftStepSequence)
    assert sorted(blocks.shapes) == [(c, m) for c in range(64) for m in range(1, 9) if c + m <= 64]
    assert (blocks.seed, blocks.read_latencies) == (1, (DEFAULT_READ_LATENCY,))
    assert list(steps.tokens) == list(range(16))


def test_language_sends_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, steps = language_sequences(monkeypatch, shapes=[[3, 2]], draft_tokens=[7])
    assert isinstance(blocks, VerifierBlockSequence)
    assert isinstance(steps, DraftStepSequence)
    assert (list(blocks.shapes), list(steps.tokens)) == ([(3, 2)], [7])


@pytest.mark.parametrize(
    ("parameters", "seeds"),
    [
        ({"seed": 40, "count": 3}, [40, 41, 42]),
        ({"seeds": [9, 2]}, [9, 2]),
    ],
)
def test_graphs_are_those_of_consecutive_seeds_or_of_the_named_ones(
    parameters: dict[str, Any], seeds: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    async def start(sequence: RandomGraphSequence, _: object) -> None:
        started.extend(sequence.seeds)

    monkeypatch.setattr(RandomGraphSequence, "start", start)
    test = RandomGraphTest.__new__(RandomGraphTest)
    test.parameters = read(RandomGraphTest, **parameters)
    test.environment = SimpleNamespace(sequencer=None)
    run_to_the_end(test)
    assert started == seeds
