"""Random graphs on the model: every check of a compiled program, whatever the graph."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache

import numpy as np
import pytest

from refmodel.capra import evaluator
from refmodel.capra.errors import CompileError
from refmodel.capra.interpreter import interpret
from refmodel.capra.nodes import Node, SoftmaxNode
from refmodel.capra.program import Program
from refmodel.capra.readback import held_tensors, read_all, read_snapshots
from refmodel.capra.stagewise import excessive_deviations, stage_deviations
from refmodel.capra.tests.mapped_program import MappedProgram
from refmodel.capra.tests.source_map_checks import CHECKS
from refmodel.isa.checker import check_program
from refmodel.isa.limits import MAX_DEPTH, SCRATCHPAD_WORDS
from refmodel.machine.machine import Machine
from refmodel.machine.result import WordArray
from refmodel.numerics.integer import IntArray
from refmodel.numerics.quantization import FloatArray
from sequences.random_graphs.build import SAMPLES, BuiltGraph, Inputs, build
from sequences.random_graphs.draw import MAX_ROWS, draw_plan
from sequences.random_graphs.limits import scale_groups, violation
from sequences.random_graphs.memory import external_words, fits, fits_without_reuse
from sequences.random_graphs.plan import GraphPlan
from sequences.random_graphs.shapes import shapes
from sequences.tests.error_bounds import error_bounds

SEEDS = range(40, 100)

every_seed = pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=() if seed % 4 == 0 else pytest.mark.slow) for seed in SEEDS]
)
"""Runs a test on every seed; on three of four with the slow tests alone."""


class Case:
    """One random graph with what the tests compare, computed once and on demand."""

    def __init__(self, seed: int) -> None:
        self.plan: GraphPlan = draw_plan(seed)
        self.built: BuiltGraph = build(self.plan)
        self.graph = self.built.graph
        self.inputs: Inputs = self.built.inputs(0)
        self.fresh: Inputs = self.built.inputs(SAMPLES)

    @cached_property
    def program(self) -> Program:
        return self.built.program()

    @cached_property
    def interpreted(self) -> list[IntArray]:
        return interpret(self.graph, self.program.plan, self.inputs)


@lru_cache(maxsize=2 * len(SEEDS))
def case(seed: int) -> Case:
    return Case(seed)


def run_and_compare(one: Case, program: Program, inputs: Inputs, machine: Machine) -> WordArray:
    """Run a program, compare its outputs with the interpreter's, return the scratchpad."""
    result = machine.run(program.bundle(inputs))
    assert result.halted
    assert not result.fault
    outputs = program.read_outputs(result.ext)
    expected = interpret(one.graph, program.plan, inputs)
    stored = [node for node, each in enumerate(one.plan.nodes) if each.kind == "output"]
    assert len(outputs) == len(stored) > 0
    for node in stored:
        assert np.array_equal(outputs[f"n{node}"], expected[node]), one.graph.describe(node)
    return result.scratchpad


@every_seed
def test_the_plan_breaks_no_limit(seed: int) -> None:
    plan = case(seed).plan
    assert violation(plan) is None
    assert fits(plan)
    assert shapes(plan) == tuple(node.shape for node in case(seed).graph.nodes)


@every_seed
def test_compiled_equals_the_interpreter(seed: int) -> None:
    """On a sample and on values that calibration has not seen, whatever ran before."""
    one = case(seed)
    run_and_compare(one, one.program, one.inputs, Machine(strict=True))
    machine = Machine(strict=True)
    run_and_compare(one, one.program, one.fresh, machine)
    run_and_compare(one, one.program, one.inputs, machine)


@every_seed
def test_every_tensor_can_be_read_back(seed: int) -> None:
    one = case(seed)
    tensors = read_snapshots(one.program, one.program.bundle(one.inputs))
    assert sorted(tensors) == held_tensors(one.program)
    readings = [tensors]
    if fits_without_reuse(one.plan):
        program = one.built.program(reuse=False)
        scratchpad = run_and_compare(one, program, one.inputs, Machine(strict=True))
        readings.append(read_all(program, scratchpad))
    for reading in readings:
        for node, integers in reading.items():
            assert np.array_equal(integers, one.interpreted[node]), one.graph.describe(node)


@every_seed
def test_every_tensor_is_within_its_levels_of_its_meaning(seed: int) -> None:
    one = case(seed)
    for inputs in (one.inputs, one.fresh):
        values = dict(enumerate(interpret(one.graph, one.program.plan, inputs)))
        assert len(stage_deviations(one.graph, one.program.plan, inputs, values)) == len(values)
        assert excessive_deviations(one.graph, one.program.plan, inputs, values) == []


@every_seed
def test_every_element_is_within_its_bound_of_the_real_value(seed: int) -> None:
    one = case(seed)
    for number in range(SAMPLES + 1):
        for ratio in error_ratios(one, one.built.inputs(number)):
            assert ratio <= 1


def error_ratios(one: Case, inputs: Inputs) -> list[float]:
    """Return for every node its largest error, as a fraction of what is possible."""
    plan = one.program.plan
    integers = interpret(one.graph, plan, inputs)
    values = evaluator.evaluate(one.graph, inputs)
    bounds = error_bounds(one.graph, plan, inputs)
    return [
        float((np.abs(integers[node] * plan.scales[node] - values[node]) / bounds[node]).max())
        for node in range(len(values))
    ]


def test_the_bounds_are_no_more_than_they_must_be() -> None:
    """Rounding errors rarely conspire, so chains stay below their bounds; single roundings come close."""
    worst = [max(error_ratios(case(seed), case(seed).inputs)) for seed in SEEDS]
    assert float(np.median(worst)) > 0.9


def test_typical_errors_are_small() -> None:
    errors = []
    for seed in SEEDS:
        one = case(seed)
        indices = {node for node, each in enumerate(one.plan.nodes) if each.kind == "argmax"}
        values = evaluator.evaluate(one.graph, one.inputs)
        errors.append(
            max(
                float(np.abs(integers * scale - real).max()) / (127 * scale)
                for node, (integers, scale, real) in enumerate(
                    zip(one.interpreted, one.program.plan.scales, values, strict=True)
                )
                if not indices & {node, *one.plan.nodes[node].operands}
            )
        )
    assert float(np.median(errors)) < 0.03


@every_seed
def test_tensors_of_a_group_share_their_scale(seed: int) -> None:
    one = case(seed)
    scales, groups = one.program.plan.scales, scale_groups(one.plan)
    indices = {node for node, each in enumerate(one.plan.nodes) if each.kind == "argmax"}
    for node, group in enumerate(groups):
        assert scales[node] == (1.0 if group in indices else scales[group])
    for node, each in enumerate(one.plan.nodes):
        if each.kind == "softmax":
            assert scales[node] == 1 / 127
            assert scales[each.operands[0]] == 1 / 16


@every_seed
def test_the_static_checker_finds_nothing(seed: int) -> None:
    program = case(seed).program
    assert check_program(program.code, program.ext_words, np.zeros(SCRATCHPAD_WORDS, np.bool_)) == []


@every_seed
def test_the_source_map_is_right(seed: int) -> None:
    mapped = MappedProgram(case(seed).program, case(seed).inputs)
    for check in CHECKS:
        check(mapped)


@every_seed
def test_external_memory_is_used_to_the_word(seed: int) -> None:
    one = case(seed)
    words = external_words(one.plan)
    snug = one.built.program(ext_words=words)
    run_and_compare(one, snug, one.inputs, Machine(strict=True))
    with pytest.raises(CompileError, match=r"^node \d+ \(.*\): external memory is full"):
        one.built.program(ext_words=words - 1)


@pytest.mark.parametrize("sign", [-1, 1])
def test_programs_do_not_depend_on_the_last_bits_of_a_library(
    monkeypatch: pytest.MonkeyPatch, sign: int
) -> None:
    """Whatever the exponential function makes of its last places, not a bit of a program changes."""
    expected = [(case(seed).program.code, case(seed).program.plan) for seed in SEEDS]
    right = evaluator.meaning

    def inaccurate(node: Node, operands: list[FloatArray]) -> FloatArray:
        values = right(node, operands)
        return values * (1 + sign * 1e-15) if isinstance(node, SoftmaxNode) else values

    monkeypatch.setattr(evaluator, "meaning", inaccurate)
    monkeypatch.setattr("sequences.random_graphs.build.meaning", inaccurate)
    inexact = 0
    for seed, (code, plan) in zip(SEEDS, expected, strict=True):
        built = build(draw_plan(seed))
        program = built.program()
        assert program.code == code
        assert program.plan == plan
        inexact += bool(built.ranges)
    assert inexact > len(SEEDS) / 4


def test_a_seed_is_one_graph_and_seeds_differ() -> None:
    assert [draw_plan(seed) for seed in SEEDS] == [case(seed).plan for seed in SEEDS]
    assert len({draw_plan(seed) for seed in SEEDS}) == len(SEEDS)


def test_a_plan_prints_one_node_a_line() -> None:
    text = str(draw_plan(5))
    assert text.splitlines()[:4] == [
        "  0 input 4×60 seed 9938",
        "  1 weight 60×13 seed 2111",
        "  2 matmul 0 1 seed 52221",
        "  3 slice 1 rows 26..28",
    ]


def test_random_graphs_contain_everything_in_every_relation() -> None:
    """A check of the generator: what the tests claim to cover does occur."""
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        plan, program = case(seed).plan, case(seed).program
        for node, each in enumerate(plan.nodes):
            seen[each.kind] += 1
            seen.update(f"{each.kind} of {plan.nodes[operand].kind}" for operand in each.operands)
            seen[f"unread {each.kind}"] += not plan.readers(node)
            if each.kind == "add":
                rescaled = sum((node, operand) in program.plan.rescales for operand in each.operands)
                seen[f"{rescaled} rescaled"] += 1
        seen["reuse only"] += not fits_without_reuse(plan)
        seen["notes"] += bool(program.notes)
    computed = ("matmul", "transposed", "softmax", "add", "relu", "concat")
    tensors = ("input", "weight", *computed)
    required = [*computed, "slice", "argmax", "output", "unread input", "0 rescaled", "1 rescaled"]
    required += [f"slice of {kind}" for kind in (*tensors, "slice")]
    required += [
        f"{reader} of {kind}" for reader in ("matmul", "add", "argmax", "output") for kind in computed
    ]
    required += [f"{reader} of slice" for reader in ("matmul", "transposed", "softmax", "add", "output")]
    required += [f"concat of {kind}" for kind in ("input", "weight", "matmul", "softmax", "add", "concat")]
    required += ["2 rescaled", "reuse only", "notes"]
    assert [relation for relation in required if not seen[relation]] == []
    rows = {rows for seed in SEEDS for rows, _ in shapes(case(seed).plan)}
    assert min(rows) == 1
    assert max(rows) >= MAX_ROWS
    depths = [
        shapes(case(seed).plan)[each.operands[0]][1]
        for seed in SEEDS
        for each in case(seed).plan.nodes
        if each.kind == "matmul"
    ]
    assert min(depths) == 1
    assert MAX_DEPTH - 4 <= max(depths) <= MAX_DEPTH
