"""From a plan to a graph, its samples, a compiled program and bundles.

Every input and weight holds multiples of 1/128, and every factor is a power of two, so that the real values
of sums and products are exact, whatever order a linear algebra library adds in. What is no longer exact (the
exponential function differs from machine to machine in its last bit) gets a range that is rounded up to eight
bits. Hence scales, instructions and memory images are the same bit for bit everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from refmodel.capra.compiler import compile_graph
from refmodel.capra.evaluator import meaning
from refmodel.capra.graph import Graph
from refmodel.capra.nodes import Node
from refmodel.capra.program import Program
from refmodel.machine.bundle import DEFAULT_EXT_WORDS
from refmodel.numerics.quantization import FloatArray
from sequences.random_graphs.limits import scale_groups
from sequences.random_graphs.plan import GraphPlan, NodePlan

SAMPLES = 4
"""Samples that a graph is calibrated on."""

STEPS = 128
"""Values are whole numbers of 1/128."""

EXACT_BITS = 53
"""A float64 holds whole numbers up to this many bits."""

RANGE_BITS = 8

MARGIN = 1 + 2.0**-20
"""Values are raised by this before a comparison with round numbers decides anything: where all scores are
equal, say, values are round but for their last bit."""

Inputs = Mapping[str, FloatArray]


@dataclass(frozen=True, eq=False)
class BuiltGraph:
    """A graph with what decides its scales."""

    plan: GraphPlan
    graph: Graph
    """Node ids are the positions of the plan."""
    samples: tuple[Inputs, ...]
    ranges: Mapping[str, float]
    """Fixed ranges by tag, of groups whose values are not exact."""

    def program(self, reuse: bool = True, ext_words: int = DEFAULT_EXT_WORDS) -> Program:
        """Compile it. Raises CompileError."""
        return compile_graph(self.graph, self.samples, self.ranges, reuse, ext_words)

    def inputs(self, number: int) -> Inputs:
        """Return input values: those of sample `number`, or fresh ones that calibration has not seen."""
        return {
            name_of(node): values_of(each, number)
            for node, each in enumerate(self.plan.nodes)
            if each.kind == "input"
        }


def build(plan: GraphPlan) -> BuiltGraph:
    """Build a plan. Raises CompileError for one that `Graph` refuses."""
    return _Building(plan).run()


def name_of(node: int) -> str:
    """Return the name of an input, a weight or an output."""
    return f"n{node}"


def values_of(node: NodePlan, number: int = 0) -> FloatArray:
    """Return the values of a weight, or those of sample `number` of an input, [rows, columns].

    They are whole numbers −127..127 over 128; some seeds give nothing but zeros, one value that is not zero,
    or the two extremes alone.
    """
    assert node.size is not None
    entropy = np.random.SeedSequence([node.seed, number])
    generator = np.random.Generator(np.random.PCG64(entropy))
    whole = generator.integers(-127, 127, node.size, endpoint=True)
    match node.seed % 16:
        case 0:
            whole = np.zeros_like(whole)
        case 1:
            kept = int(generator.integers(whole.size))
            whole = np.where(np.arange(whole.size).reshape(whole.shape) == kept, whole, 0)
        case 2:
            whole = np.where(whole < 0, -127, 127)
        case _:
            pass
    values: FloatArray = whole / STEPS
    return values


class _Building:
    """A graph that grows node by node, evaluated on all samples as it does."""

    def __init__(self, plan: GraphPlan) -> None:
        self._plan = plan
        self._graph = Graph()
        self._values: list[FloatArray] = []
        self._bits: list[tuple[int, int] | None] = []
        """For each node: bits of its largest value and of a fraction, in whole numbers; None: not exact."""

    def run(self) -> BuiltGraph:
        """Build everything."""
        for node, each in enumerate(self._plan.nodes):
            self._add(node, each)
            operation = self._graph.nodes[node]
            if each.kind == "input":
                self._values.append(np.stack([values_of(each, number) for number in range(SAMPLES)]))
            elif each.kind == "weight":
                self._values.append(values_of(each))
            else:
                self._values.append(meaning(operation, [self._values[operand] for operand in each.operands]))
            self._bits.append(self._exact_bits(operation, each))
        samples = tuple(
            {
                name_of(node): self._values[node][number]
                for node, each in enumerate(self._plan.nodes)
                if each.kind == "input"
            }
            for number in range(SAMPLES)
        )
        return BuiltGraph(self._plan, self._graph, samples, self._fixed_ranges())

    def _add(self, node: int, each: NodePlan) -> None:
        graph = self._graph
        match each:
            case NodePlan("input", (), (rows, columns)):
                graph.input(name_of(node), (rows, columns))
            case NodePlan("weight"):
                graph.weight(name_of(node), values_of(each))
            case NodePlan("matmul", (a, b)):
                graph.matmul(a, b, scale=self._factor(each))
            case NodePlan("transposed", (a, b)):
                graph.matmul(a, b, transpose_b=True, scale=self._factor(each))
            case NodePlan("softmax", (a,)):
                graph.softmax(a)
            case NodePlan("add", (a, b)):
                graph.add(a, b)
            case NodePlan("relu", (a,)):
                graph.relu(a)
            case NodePlan("concat", (a, b)):
                graph.concat_rows(a, b)
            case NodePlan("slice", (a,), (start, count)):
                graph.slice_rows(a, start, count)
            case NodePlan("argmax", (a,)):
                graph.argmax(a)
            case NodePlan("output", (a,)):
                graph.output(a, name_of(node))
            case _:
                raise ValueError(f"node {node} of the plan is none: {each}")

    def _factor(self, each: NodePlan) -> float:
        """Return a power of two that brings the largest result of a product to 1/4 to 4, as its seed says.

        A product that happens to cancel stays small: to blow it up would blow up its rounding errors.
        """
        left, right = (self._values[operand] for operand in each.operands)
        if each.kind == "transposed":
            right = right.swapaxes(-1, -2)
        if left.shape[-1] != right.shape[-2]:
            return 1.0  # refused in a moment
        typical = math.sqrt(left.shape[-1] * np.square(left).mean() * np.square(right).mean())
        largest = max(float(np.abs(np.matmul(left, right)).max()), typical)
        if largest == 0:
            return 1.0
        return math.ldexp(1.0, each.seed % 4 - math.frexp(largest * MARGIN)[1] - 1)

    def _exact_bits(self, operation: Node, each: NodePlan) -> tuple[int, int] | None:
        """Return bits of the whole number and of its fraction, (B, e): values are n·2^−e with |n| < 2^B."""
        if each.kind in ("input", "weight"):
            return (7, 7)
        operands = [self._bits[operand] for operand in each.operands]
        known = [bits for bits in operands if bits is not None]
        if each.kind == "softmax" or len(known) < len(operands):
            return None
        match each.kind:
            case "matmul" | "transposed":
                (left, left_point), (right, right_point) = known
                inner = self._graph.nodes[operation.operands[0]].shape[1]
                exponent = math.frexp(getattr(operation, "factor", 1.0))[1] - 1
                found = (left + right + inner.bit_length(), left_point + right_point - exponent)
            case "add" | "concat":
                point = max(point for _, point in known)
                found = (max(bits + point - own for bits, own in known) + 1, point)
            case _:
                (found,) = known
        return found if found[0] <= EXACT_BITS else None

    def _fixed_ranges(self) -> dict[str, float]:
        """Tag every group with a value that is not exact, unless a softmax fixes its range anyway."""
        nodes, groups = self._plan.nodes, scale_groups(self._plan)
        pinned = {
            groups[tensor]
            for node, each in enumerate(nodes)
            if each.kind == "softmax"
            for tensor in (node, each.operands[0])
        }
        measured: dict[int, float] = {}
        for node in range(len(nodes)):
            sources = nodes[node].operands if nodes[node].kind == "add" else ()
            largest = max(float(np.abs(self._values[each]).max()) for each in (node, *sources))
            measured[groups[node]] = max(measured.get(groups[node], 0.0), largest)
        inexact = {groups[node] for node, bits in enumerate(self._bits) if bits is None}
        ranges: dict[str, float] = {}
        for group in sorted(inexact - pinned):
            if nodes[group].kind != "argmax":
                tag = f"range of {group}"
                self._graph.tag(group, tag)
                ranges[tag] = _rounded_up(measured[group])
        return ranges


def _rounded_up(value: float) -> float:
    """Return a number of `RANGE_BITS` bits that is little more."""
    fraction, exponent = math.frexp(value * MARGIN)
    return math.ldexp(math.ceil(math.ldexp(fraction, RANGE_BITS)), exponent - RANGE_BITS)
