"""Programs whose cycles are worked out here by hand, from the cycle law of docs/isa.md."""

from __future__ import annotations

import numpy as np

from refmodel.capra.compiler import compile_graph
from refmodel.capra.graph import Graph
from refmodel.isa.encoding import encode
from refmodel.isa.instructions import (
    ArgMax,
    Halt,
    Load,
    MatMul,
    Operation,
    Requantize,
    Softmax,
    Store,
    VectorAdd,
)
from refmodel.machine.bundle import Bundle
from refmodel.source_map.source_map import SourceMap
from regressions.timeline.lane import Lane


def bundle_of(*instructions: Operation, source_map: SourceMap | None = None) -> Bundle:
    """Return a program of these instructions and HALT."""
    code = tuple(encode(instruction) for instruction in (*instructions, Halt()))
    make_source_map = None if source_map is None else lambda: source_map
    return Bundle(code, np.zeros(0, np.uint32), make_source_map=make_source_map)


EVERY_UNIT = bundle_of(
    Load(0, 0, 10),  # 10 + 8 + 1 = 19 cycles
    MatMul(20, 0, 4, 2, 2, 2, False, 2, 2, 2),  # 4 + 4 + 4 + 4 + 7 = 23
    Requantize(30, 20, 4, 1 << 23, 23),  # 4 + 2 = 6
    Softmax(40, 30, 4),  # 12 + 47 = 59
    VectorAdd(50, 30, 30, 4),  # 8 + 2 = 10
    ArgMax(60, 50, 4),  # 4 + 3 = 7
    Store(50, 50, 4),  # 4 + 2 = 6
)
"""Each unit once. FETCH and ISSUE of seven instructions and HALT are 16 cycles, and all is 146."""

EVERY_UNIT_CYCLES = {
    Lane.FRONT: 16,
    Lane.LOAD: 19,
    Lane.STORE: 6,
    Lane.MATRIX: 23,
    Lane.REQUANTIZER: 6,
    Lane.SOFTMAX: 59,
    Lane.VECTOR_ADD: 10,
    Lane.ARGMAX: 7,
}


def product() -> Bundle:
    """Return the compiled product y[1, 6] = x[1, 3]·w[3, 6], 123 cycles.

    LD x 3 + 9 = 12, LD w 18 + 9 = 27, MM of four columns 3 + 12 + 6 + 4 + 7 = 32, MM of two
    3 + 6 + 4 + 2 + 7 = 22, RQ 8, ST 8, and FETCH and ISSUE of six instructions and HALT.
    """
    graph = Graph()
    x = graph.input("x", (1, 3))
    graph.output(graph.matmul(x, graph.weight("w", np.ones((3, 6)))), "y")
    inputs = {"x": np.ones((1, 3))}
    return compile_graph(graph, [inputs]).bundle(inputs)
