"""Compiled random graphs against the interpreter, without reuse, tensor by tensor and stage by stage."""

from __future__ import annotations

from collections import Counter

import numpy as np

from refmodel.capra.nodes import AddNode, ConcatNode, InputNode, SliceNode
from refmodel.capra.program import Program
from refmodel.capra.readback import held_tensors, read_all
from refmodel.capra.stagewise import excessive_deviations, stage_deviations
from refmodel.capra.tests.cases import CASES, Case, Flavour, case, every_case
from refmodel.isa.checker import check_program
from refmodel.isa.limits import SCRATCHPAD_WORDS
from refmodel.machine.machine import Machine


def outputs_equal_the_interpreter(one: Case, program: Program) -> int:
    """Run a program, compare every output with the interpreter's and return how many there were."""
    outputs = program.read_outputs(one.run(program).ext)
    for node, operation in enumerate(one.graph.nodes):
        if operation.kind == "output":
            name = operation.label.split("'")[1]
            assert np.array_equal(outputs.pop(name), one.interpreted[node]), name
    assert not outputs
    return len(program.outputs)


@every_case
def test_compiled_equals_the_interpreter_on_a_strict_machine(flavour: Flavour, seed: int) -> None:
    one = case(flavour, seed)
    assert outputs_equal_the_interpreter(one, one.program) > 0


@every_case
def test_a_program_leaves_nothing_behind_that_a_second_run_sees(flavour: Flavour, seed: int) -> None:
    one = case(flavour, seed)
    machine = Machine()
    first = machine.run(one.program.bundle(one.samples[1]))
    again = machine.run(one.bundle)
    assert first.halted
    assert np.array_equal(again.ext, one.run(one.program).ext)


@every_case
def test_every_tensor_can_be_read_back(flavour: Flavour, seed: int) -> None:
    """From the scratchpad at the end where the graph fits without reuse; at each last reader otherwise."""
    one = case(flavour, seed)
    program = one.without_reuse
    if program is None:
        tensors = one.snapshots
    else:
        assert outputs_equal_the_interpreter(one, program) > 0
        tensors = read_all(program, one.run(program).scratchpad)
    assert sorted(tensors) == held_tensors(one.program)
    for node, integers in tensors.items():
        assert np.array_equal(integers, one.interpreted[node]), one.graph.describe(node)


@every_case
def test_with_reuse_every_tensor_lives_until_its_last_reader(flavour: Flavour, seed: int) -> None:
    one = case(flavour, seed)
    for node, integers in one.snapshots.items():
        assert np.array_equal(integers, one.interpreted[node]), one.graph.describe(node)


@every_case
def test_every_tensor_is_within_its_levels_of_its_meaning(flavour: Flavour, seed: int) -> None:
    one = case(flavour, seed)
    interpreted = dict(enumerate(one.interpreted))
    for values in (interpreted, one.snapshots):
        deviations = stage_deviations(one.graph, one.program.plan, one.inputs, values)
        assert len(deviations) == len(values)
        assert excessive_deviations(one.graph, one.program.plan, one.inputs, values) == []


@every_case
def test_the_static_checker_finds_nothing(flavour: Flavour, seed: int) -> None:
    one = case(flavour, seed)
    nothing_defined = np.zeros(SCRATCHPAD_WORDS, dtype=np.bool_)
    assert check_program(one.program.code, one.program.ext_words, nothing_defined) == []


def test_graphs_with_and_without_room_for_every_tensor_were_tried() -> None:
    fitting = [case(flavour, seed).without_reuse is not None for flavour, seed in CASES]
    assert fitting.count(True) > 60
    assert fitting.count(False) > 5


def test_random_graphs_contain_every_operation_in_every_relation() -> None:
    """A check of the generator: what the tests above claim to cover does occur, and often."""
    seen: Counter[str] = Counter()
    for flavour, seed in CASES:
        graph, plan = case(flavour, seed).graph, case(flavour, seed).program.plan
        read = {operand for operation in graph.nodes for operand in operation.operands}
        for node, operation in enumerate(graph.nodes):
            seen[operation.kind] += 1
            seen["unread input"] += isinstance(operation, InputNode) and node not in read
            seen.update(f"{operation.kind} of {graph.nodes[operand].kind}" for operand in operation.operands)
            if isinstance(operation, AddNode):
                rescaled = sum((node, operand) in plan.rescales for operand in operation.operands)
                seen[f"add with {rescaled} rescaled operands"] += 1
    views = (ConcatNode.kind, SliceNode.kind)
    required = ["input", "weight", "matmul", "softmax", "add", "relu", "concat", "slice", "argmax", "output"]
    required += [f"{outer} of {inner}" for outer in views for inner in (*views, "input", "matmul", "relu")]
    required += [f"{reader} of slice" for reader in ("matmul", "softmax", "add", "argmax", "output")]
    required += [f"{reader} of concat" for reader in ("matmul", "softmax", "add", "argmax", "output")]
    required += [
        "unread input",
        "output of input",
        "add with 1 rescaled operands",
        "add with 2 rescaled operands",
    ]
    required.remove("concat of slice")  # refused
    assert [relation for relation in required if seen[relation] < 2] == []
