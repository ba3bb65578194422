"""The directed cancellation graph add(x, y) with y near −x passes every check but the bound on accuracy.

The sum is hundredths of its operands while its scale must cover them, so that little of it survives rounding:
an error that belongs to int8 and not to the compiler.
"""

from __future__ import annotations

import numpy as np

from refmodel.capra.compiler import compile_graph
from refmodel.capra.evaluator import evaluate
from refmodel.capra.graph import Graph
from refmodel.capra.interpreter import interpret
from refmodel.capra.readback import held_tensors, read_all, read_snapshots
from refmodel.capra.stagewise import excessive_deviations
from refmodel.capra.tests.test_accuracy import BOUND
from refmodel.machine.machine import Machine
from refmodel.numerics.quantization import FloatArray

ROWS, COLUMNS = 5, 6


def cancellation_graph() -> tuple[Graph, int]:
    """Return a graph that multiplies x + y with a weight, and the id of that product."""
    graph = Graph()
    x, y = graph.input("x", (ROWS, COLUMNS)), graph.input("y", (ROWS, COLUMNS))
    total = graph.add(x, y)
    weight = graph.weight("w", np.random.default_rng(1).normal(size=(COLUMNS, 3)))
    product = graph.matmul(total, weight)
    graph.output(total, "total")
    graph.output(product, "product")
    return graph, product


def samples() -> list[dict[str, FloatArray]]:
    generator = np.random.default_rng(2)
    pairs = []
    for _ in range(4):
        x = generator.normal(size=(ROWS, COLUMNS))
        pairs.append({"x": x, "y": -x + generator.normal(scale=0.01, size=x.shape)})
    return pairs


def test_cancellation_is_exact_stage_by_stage_though_its_result_is_not_accurate() -> None:
    graph, product = cancellation_graph()
    calibration = samples()
    inputs = calibration[0]
    program = compile_graph(graph, calibration)
    unshared = compile_graph(graph, calibration, reuse=False)
    assert len(program.plan.rescales) >= 1
    expected = interpret(graph, program.plan, inputs)
    bundle = program.bundle(inputs)
    result = Machine(strict=True).run(bundle)
    after = Machine(strict=True).run(unshared.bundle(inputs))
    for node, name in enumerate(["total", "product"], start=5):
        assert np.array_equal(program.read_outputs(result.ext)[name], expected[node])
        assert np.array_equal(unshared.read_outputs(after.ext)[name], expected[node])
    for tensors in (read_snapshots(program, bundle), read_all(unshared, after.scratchpad)):
        assert list(tensors) == held_tensors(program) == list(range(7))
        assert all(np.array_equal(tensors[node], expected[node]) for node in tensors)
        assert excessive_deviations(graph, program.plan, inputs, tensors) == []
    scale = program.plan.scales[product]
    error = np.abs(expected[product] * scale - evaluate(graph, inputs)[product]).max() / (127 * scale)
    assert error > BOUND[False]
