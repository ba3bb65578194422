"""Causality in integers: a row of the sharp model's block depends on no later token, and is accurate."""

from __future__ import annotations

import random

import numpy as np
import pytest

from refmodel.capra.compiler import compile_graph
from refmodel.capra.program import Program
from refmodel.language.calibration import Sample, calibrate_on_sequences, sample
from refmodel.language.float_model import float_block
from refmodel.language.target import sharp
from refmodel.language.tests.execution import EXECUTIONS, Execute, on_interpreter, on_machine, relative_error
from refmodel.language.verifier_block import verifier_block
from refmodel.published import figures

PREFIX = [3, 8, 1, 12]
BLOCKS = ([1, 2, 3, 4], [1, 2, 3, 12], [1, 2, 9, 4], [5, 2, 3, 4])
TARGET = sharp(2)


@pytest.fixture(scope="module")
def program() -> Program:
    """Return the published block of four over four: calibrated on 40 random sequences of eight tokens."""
    source = random.Random(9)
    sequences = np.array([[source.randrange(16) for _ in range(8)] for _ in range(40)])
    calibration = calibrate_on_sequences(TARGET, sequences, cached=4)
    return compile_graph(verifier_block(TARGET, 4, 4), calibration.samples, calibration.ranges)


def inputs(block: list[int]) -> Sample:
    prefix = TARGET.embedding[PREFIX]
    return sample(TARGET.embedding[block], prefix @ TARGET.wk, prefix @ TARGET.wv)


def test_the_published_blocks_are_the_tested_ones() -> None:
    published = figures()["causality"]
    assert published["prefix"] == PREFIX
    assert [[int(token) for token in block.split()] for block in published["logits5"]] == list(BLOCKS)


@pytest.mark.parametrize("execute", EXECUTIONS)
@pytest.mark.parametrize("block", BLOCKS)
def test_the_first_five_logits_of_every_row_are_the_published_ones(
    program: Program, execute: Execute, block: list[int]
) -> None:
    published = figures()["causality"]["logits5"][" ".join(map(str, block))]
    assert execute(program, inputs(block))["logits"][:, :5].tolist() == published


@pytest.mark.parametrize("execute", EXECUTIONS)
def test_rows_before_a_changed_token_stay_bit_for_bit_and_those_from_it_on_change(
    program: Program, execute: Execute
) -> None:
    first = execute(program, inputs(BLOCKS[0]))
    for block, changed in zip(BLOCKS[1:], (3, 2, 0), strict=True):
        other = execute(program, inputs(block))
        for name in ("attn", "logits", "k_new", "v_new", "tok"):
            assert (first[name][:changed] == other[name][:changed]).all(), name
        assert all((first["logits"][row] != other["logits"][row]).any() for row in range(changed, 4))


@pytest.mark.parametrize("block", BLOCKS)
def test_the_compiled_block_equals_the_interpreter(program: Program, block: list[int]) -> None:
    interpreted = on_interpreter(program, inputs(block))
    compiled = on_machine(program, inputs(block))
    assert list(compiled) == ["attn", "tok", "logits", "k_new", "v_new"]
    for name, integers in compiled.items():
        assert (integers == interpreted[name]).all(), name


def test_every_row_is_close_to_the_float_model(program: Program) -> None:
    block = inputs(BLOCKS[0])
    exact = float_block(TARGET, block["x"], block["kc"], block["vc"])
    outputs = on_machine(program, block)
    for name, reference, bound in [
        ("logits", exact.logits, 0.15),
        ("attn", exact.attn, 0.12),
        ("k_new", exact.k, 0.12),
        ("v_new", exact.v, 0.12),
    ]:
        errors = relative_error(outputs[name], program.outputs[name].scale, reference)
        assert len(errors) == 4
        assert max(errors) < bound, (name, errors)
