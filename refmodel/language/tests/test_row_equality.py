"""The claim of `model` scales: a verifier's row and the plain step of its context are the same integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from refmodel.capra.interpreter import interpret
from refmodel.capra.program import Program
from refmodel.language.calibration import Sample, sample
from refmodel.language.programs import CompiledTarget, ProgramFamily
from refmodel.language.target import TargetModel, make_target
from refmodel.language.tests.execution import on_interpreter, on_machine
from refmodel.numerics.integer import IntArray
from refmodel.numerics.quantization import FloatArray

POSITIONS = 12
_FAMILIES: dict[tuple[str, int], ProgramFamily] = {}


def compiled_target(kind: str, seed: int) -> tuple[TargetModel, CompiledTarget]:
    """Return a target and its programs under model scales, made once."""
    if (kind, seed) not in _FAMILIES:
        _FAMILIES[kind, seed] = ProgramFamily(make_target(kind, seed), "model", POSITIONS)
    family = _FAMILIES[kind, seed]
    return family.target, family.for_plain()


def attention_of(program: Program, inputs: Sample) -> IntArray:
    """Return the attention row of a plain step, which is no output of it, from the interpreter."""
    (node,) = (node for node, tag in program.graph.tags if tag == "attn")
    return interpret(program.graph, program.plan, inputs)[node]


def dequantized_cache(
    program: Program, target: TargetModel, tokens: list[int]
) -> tuple[FloatArray, FloatArray]:
    """Return the keys and values that the host would keep of these tokens."""
    cached = [
        program.dequantize(name, on_interpreter(program, {"x": target.embedding[[token]]})[name])
        for name in ("k_new", "v_new")
        for token in tokens
    ]
    stacked = np.concatenate([np.empty((0, 16)), *cached])
    return stacked[: len(tokens)], stacked[len(tokens) :]


@settings(max_examples=25)
@given(
    kind=st.sampled_from(["random", "sharp", "structured"]),
    seed=st.integers(1, 3),
    prefix=st.lists(st.integers(0, 15), max_size=8),
    block=st.lists(st.integers(0, 15), min_size=1, max_size=5),
)
def test_row_i_of_a_block_is_the_plain_step_of_context_c_plus_i_plus_1(
    kind: str, seed: int, prefix: list[int], block: list[int]
) -> None:
    target, programs = compiled_target(kind, seed)
    keys, values = dequantized_cache(programs.plain(1), target, prefix)
    verifier = programs.verifier(len(prefix), len(block))
    inputs = sample(target.embedding[block], keys, values)
    rows = on_machine(verifier, inputs)
    interpreted = on_interpreter(verifier, inputs)
    for name, integers in rows.items():
        assert (integers == interpreted[name]).all(), name
    for i, token in enumerate(block):
        plain = programs.plain(len(prefix) + i + 1)
        step_inputs = sample(target.embedding[[token]], keys, values)
        for step in (on_machine(plain, step_inputs), on_interpreter(plain, step_inputs)):
            for name in ("logits", "k_new", "v_new", "tok"):
                assert (step[name][0] == rows[name][i]).all(), (name, i)
        assert (attention_of(plain, step_inputs)[0] == rows["attn"][i]).all(), i
        keys = np.vstack([keys, plain.dequantize("k_new", step["k_new"])])
        values = np.vstack([values, plain.dequantize("v_new", step["v_new"])])
