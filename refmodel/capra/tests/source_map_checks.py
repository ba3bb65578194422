"""What must be true of the source map of any program, whatever graph it was compiled from.

Each check is named by its claim and takes a program with its map; tests run them on programs of their choice.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from refmodel.capra.program import words_to_integers
from refmodel.capra.readback import last_readers_of
from refmodel.capra.tests.mapped_program import MappedProgram, addresses
from refmodel.isa.instructions import Load, Store
from refmodel.machine.machine import Machine
from refmodel.numerics.integer import IntArray
from refmodel.source_map.tensor import Tensor


def every_instruction_is_mapped_to_its_node_and_the_words_it_writes(one: MappedProgram) -> None:
    assert len(one.source_map.instructions) == len(one.program.code)
    assert one.source_map.instructions[-1] is None
    for pc, instruction, source in one.work():
        kind = one.program.graph.nodes[one.program.nodes[pc]].kind
        if isinstance(instruction, Load | Store):
            assert (source.service, kind) in {("load", "input"), ("load", "weight"), ("store", "output")}
        else:
            assert source.service == kind
        touched = one.footprints[pc]
        found = [one.source_map.tensor_at(address, pc) for address in addresses(touched.writes)]
        found += [one.source_map.tensor_at_ext(address) for address in addresses(touched.ext_writes)]
        assert [(each.tensor, each.row, each.column, each.live) for each in found if each is not None] == [
            (source.tensor, source.tensor.row_number(row), column, True)
            for row in source.rows
            for column in source.columns
        ]


def every_word_holds_the_element_that_the_map_names(one: MappedProgram) -> None:
    """All that instructions read and write on the machine is what the interpreter has for these elements."""
    known: dict[Tensor, IntArray] = {}
    for pc, _, source in one.work():
        touched, before, after = one.footprints[pc], one.scratchpads[pc], one.scratchpads[pc + 1]
        for address in addresses(*touched.reads.values()):
            element = one.source_map.tensor_before(address, pc)
            assert element is not None
            assert element.live, f"{element} is read by pc {pc}"
            row = element.row - element.tensor.row_number(0)
            assert known[element.tensor][row, element.column] == before[address], (pc, str(element))
        if touched.writes is not None:
            known[source.tensor] = tensor = one.tensors[pc]
            assert tensor.shape == source.tensor.shape
            block = tensor[source.rows.start : source.rows.stop, source.columns.start : source.columns.stop]
            assert after[touched.writes.addresses()].ravel().tolist() == block.ravel().tolist(), pc
    assert len(known) == len(one.source_map.scratchpad)


def every_tensor_is_whole_when_its_last_reader_comes(one: MappedProgram) -> None:
    tensors = {source.tensor: one.tensors[pc] for pc, _, source in one.work()}
    for place in one.source_map.scratchpad:
        read = addresses(*one.footprints[place.last].reads.values())
        has_reader = place.last > place.first and any(place.holds(address) for address in read)
        state = one.scratchpads[place.last if has_reader else place.last + 1]
        words = state[place.address : place.address + place.tensor.words]
        assert words.tolist() == tensors[place.tensor].ravel().tolist(), place


def lives_that_share_words_follow_each_other(one: MappedProgram) -> None:
    """They meet only in the instruction that replaces a tensor in place."""
    for older, younger in combinations(one.source_map.scratchpad, 2):
        disjoint = (
            older.address + older.tensor.words <= younger.address
            or younger.address + younger.tensor.words <= older.address
        )
        replaced = (older.last, older.address) == (younger.first, younger.address)
        assert disjoint or replaced or older.last < younger.first, (older, younger)


def no_tensor_outlives_its_last_reader(one: MappedProgram) -> None:
    """The instruction in which a life ends touches the tensor and, if quantized, serves its last reader."""
    last_readers = last_readers_of(one.program.graph)
    for place in one.source_map.scratchpad:
        touched = one.footprints[place.last]
        assert any(place.holds(address) for address in addresses(*touched.reads.values(), touched.writes))
        if place.first == place.last or place.tensor.kind not in ("int8", "index"):
            continue
        writer = one.program.nodes[place.first]
        node = one.fused_relus.get(writer, writer)
        assert place.last < one.program.ends[last_readers[node]], place


def words_times_scale_are_the_reals_of_the_plan(one: MappedProgram) -> None:
    """Those of a product or a softmax also before their RQ, within half a level of what it makes of them."""
    tensors = {source.tensor: one.tensors[pc] for pc, _, source in one.work()}
    for place in one.source_map.scratchpad:
        if place.tensor.kind in ("int8", "index"):
            assert place.tensor.scale == one.program.plan.scales[one.program.nodes[place.first]]
            continue
        quantization = one.source_map.instructions[place.last]
        assert quantization is not None
        levels = tensors[place.tensor] * (place.tensor.scale / quantization.tensor.scale)
        quantized = tensors[quantization.tensor]
        lowest = 0 if one.program.nodes[place.first] in one.fused_relus else -127
        assert (np.abs(np.clip(levels, lowest, 127) - quantized) < 0.5001).all(), place


def external_words_hold_the_element_that_the_map_names(one: MappedProgram) -> None:
    nodes = one.program.graph.nodes
    known = {node.label: value for node, value in zip(nodes, one.interpreted, strict=True)}
    seen = 0
    for address, value in enumerate(words_to_integers(Machine().run(one.bundle).ext).tolist()):
        element = one.source_map.tensor_at_ext(address)
        if element is None:
            continue
        labels = [f"{kind} '{element.tensor.name}'" for kind in ("input", "weight", "output")]
        (tensor,) = (known[label] for label in labels if label in known)
        assert tensor[element.row, element.column] == value, str(element)
        seen += 1
    assert seen == sum(node.words for node in nodes if node.kind in ("input", "weight", "output"))


CHECKS: tuple[Callable[[MappedProgram], None], ...] = (
    every_instruction_is_mapped_to_its_node_and_the_words_it_writes,
    every_word_holds_the_element_that_the_map_names,
    every_tensor_is_whole_when_its_last_reader_comes,
    lives_that_share_words_follow_each_other,
    no_tensor_outlives_its_last_reader,
    words_times_scale_are_the_reals_of_the_plan,
    external_words_hold_the_element_that_the_map_names,
)
