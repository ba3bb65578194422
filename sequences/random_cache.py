"""Language programs over random tokens and a cache of random rows."""

from __future__ import annotations

import numpy as np

from refmodel.capra.program import Program
from refmodel.language.programs import CompiledTarget
from refmodel.language.target import VOCABULARY
from refmodel.machine.bundle import Bundle
from refmodel.numerics.quantization import FloatArray


def inputs_over_random_cache(
    target: CompiledTarget, program: Program, generator: np.random.Generator
) -> dict[str, FloatArray]:
    """Return real inputs of a plain step or a verifier block: random tokens, and rows that fill the range."""
    rows, _ = program.inputs["x"].shape
    inputs = {"x": target.embedding[generator.integers(0, VOCABULARY, rows)]}
    for name in ("kc", "vc"):
        if name in program.inputs:
            port = program.inputs[name]
            inputs[name] = generator.uniform(-127.0, 127.0, port.shape) * port.scale
    return inputs


def bundle_over_random_cache(
    target: CompiledTarget, program: Program, generator: np.random.Generator
) -> Bundle:
    """Return a plain step or a verifier block of random tokens over a cache that fills its whole range."""
    return program.bundle(inputs_over_random_cache(target, program, generator))
