"""Errors of the Capra compiler: places, instructions, scales, refusals, and the judge beside it."""

from __future__ import annotations

from regressions.software_qualification.mutant import Category, SoftwareMutant

STORAGE = "refmodel/capra/storage.py"
LOWERING = "refmodel/capra/lowering.py"
INTERPRETER = "refmodel/capra/interpreter.py"
PLAN = "refmodel/capra/plan.py"
SCALES = "refmodel/capra/scales.py"
LEGALITY = "refmodel/capra/legality.py"

LISTINGS = "refmodel/capra/tests/test_lowering.py"
SCALE_TESTS = "refmodel/capra/tests/test_scales.py"
REFUSED_GRAPHS = "refmodel/capra/tests/test_refusals.py::test_a_graph_is_refused_naming_node_and_reason"

COMPILER_MUTANTS = (
    SoftwareMutant(
        "slice_forgets_its_sources_offset",
        Category.VIEW_OFFSET,
        STORAGE,
        "offset = regions[source].offset + operation.start * operation.shape[1]",
        "offset = operation.start * operation.shape[1]",
        "A slice of a view is looked for at the start of the view's buffer.",
        (f"{LISTINGS}::test_parts_are_written_into_their_concatenation_and_slices_read_from_it",),
    ),
    SoftwareMutant(
        "lower_part_behind_its_own_length",
        Category.VIEW_OFFSET,
        STORAGE,
        "region.offset + nodes[upper].words",
        "region.offset + nodes[lower].words",
        "The lower part of a concatenation is put where it would begin if both parts were equally long.",
        (f"{LISTINGS}::test_parts_are_written_into_their_concatenation_and_slices_read_from_it",),
    ),
    SoftwareMutant(
        "every_softmax_reads_the_first_row",
        Category.UNITS,
        LOWERING,
        "Softmax(address + start, sources[0] + start, columns)",
        "Softmax(address + start, sources[0], columns)",
        "The softmax unit is given the first row of its tensor for every row.",
        (f"{LISTINGS}::test_a_softmax_is_one_sm_a_row_and_an_argmax_one_amax_a_row",),
    ),
    SoftwareMutant(
        "result_as_wide_as_its_tile",
        Category.SHAPE,
        LOWERING,
        "ldc=columns",
        "ldc=width",
        "The rows of a tile are written one behind the other, not at the distance of the result's rows.",
        (f"{LISTINGS}::test_a_matmul_is_tiled_row_tiles_outer_and_requantized_in_place",),
    ),
    SoftwareMutant(
        "interpreter_slices_from_row_0",
        Category.INTERPRETER,
        INTERPRETER,
        "operands[0][operation.start : operation.start + operation.shape[0]]",
        "operands[0][: operation.shape[0]]",
        "The interpreter takes the first rows of a slice's source.",
        (
            "refmodel/capra/tests/test_interpreter.py"
            "::test_rows_are_moved_and_first_maxima_found_without_arithmetic",
        ),
    ),
    SoftwareMutant(
        "factor_left_out",
        Category.SCALE,
        PLAN,
        "ratio = operation.factor * scales[a] * scales[b] / scales[node]",
        "ratio = scales[a] * scales[b] / scales[node]",
        "A matmul's own factor is missing from the multiplier of its requantizer.",
        (f"{SCALE_TESTS}::test_a_matmul_multiplies_its_factor_and_the_scales",),
    ),
    SoftwareMutant(
        "first_member_decides",
        Category.SCALE,
        SCALES,
        "measured[group] = max(measured.get(group, 0.0), largest)",
        "measured.setdefault(group, largest)",
        "The range of a group is that of its first member, not the largest of all.",
        (f"{SCALE_TESTS}::test_the_parts_and_the_result_of_a_concatenation_share_the_largest_range",),
    ),
    SoftwareMutant(
        "two_places_for_one_tensor",
        Category.REFUSALS,
        LEGALITY,
        "if len(concats) > 1:",
        "if len(concats) > 2:",
        "A tensor that two concatenations would have to hold is not refused.",
        (REFUSED_GRAPHS,),
    ),
    SoftwareMutant(
        "shared_source_of_a_relu",
        Category.REFUSALS,
        LEGALITY,
        "if others:",
        "if len(others) > 1:",
        "A relu is fused into a matmul that another node reads without it.",
        (REFUSED_GRAPHS,),
    ),
    SoftwareMutant(
        "second_operand_loaded_first",
        Category.LOAD_ORDER,
        LOWERING,
        "for operand in operation.operands:\n            self._load(operand)",
        "for operand in reversed(operation.operands):\n            self._load(operand)",
        "The operands of a node are loaded from the last to the first.",
        (f"{LISTINGS}::test_inputs_and_weights_are_loaded_once_just_before_their_first_reader",),
    ),
)
