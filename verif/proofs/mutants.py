"""Errors in the RTL, and in the properties themselves, each of which must break its proof.

They were written before they ran: `fails` says which property must break. Those of hdl/formal alter a
property so that it is wrong of the RTL as it is, which shows that it does not hold by accident.
"""

from __future__ import annotations

from dataclasses import dataclass

from verif.proofs.design import BENCH, FORMAL, RTL
from verif.qualification.unique_text import unique_place


@dataclass(frozen=True)
class ProofMutant:
    """One text of one file and the wrong one in its place."""

    name: str
    proof: str
    file: str
    """Below hdl/rtl, hdl/formal or hdl/tb."""
    before: str
    """It occurs once in the file."""
    after: str
    fails: str
    """The property that must break."""

    def sources(self) -> dict[str, str]:
        """Return the changed file. Raises MutationError."""
        folder = next(folder for folder in (RTL, FORMAL, BENCH) if (folder / self.file).exists())
        text = (folder / self.file).read_text(encoding="utf-8")
        place = unique_place(self.before, text, self.name, self.file)
        return {self.file: text[:place] + self.after + text[place + len(self.before) :]}


_COUNTERS, _COUNTERS_SAY = "ga2_counters.sv", "ga2_counters_properties.sv"
_SEQUENCER, _SEQUENCER_SAYS = "ga2_sequencer.sv", "ga2_sequencer_properties.sv"
_LOAD, _LOAD_SAYS = "ga2_dma_load.sv", "ga2_dma_load_properties.sv"
_STORE, _STORE_SAYS = "ga2_dma_store.sv", "ga2_dma_store_properties.sv"
_SCALE, _SCALE_SAYS = "ga2_requantizer.sv", "ga2_requantizer_properties.sv"
_ADD, _ADD_SAYS = "ga2_vector_add.sv", "ga2_vector_add_properties.sv"
_MAX, _MAX_SAYS = "ga2_argmax.sv", "ga2_argmax_properties.sv"
_CHIP, _CHIP_SAYS = "ga2.sv", "ga2_properties.sv"
_PROTOCOL, _RULES = "ga2_protocol.sv", "ga2_rules.sv"
_JUDGED = "u_protocol.no_check_fails"
_MATRIX, _MATRIX_SAYS = "ga2_matrix_unit.sv", "ga2_matrix_unit_properties.sv"
_SOFTMAX, _SOFTMAX_SAYS = "ga2_softmax.sv", "ga2_softmax_properties.sv"
_RECIPROCAL, _RECIPROCAL_SAYS = "ga2_reciprocal.sv", "ga2_reciprocal_properties.sv"

MUTANTS = (
    ProofMutant(
        "counter_of_31_bits",
        "counters",
        _COUNTERS,
        "cyc_mm_o <= cyc_mm_o + 32'd1",
        "cyc_mm_o <= {cyc_mm_o[31], cyc_mm_o[30:0] + 31'd1}",
        "cyc_mm_steps_clears_and_holds",
    ),
    ProofMutant(
        "retired_instructions_not_cleared",
        "counters",
        _COUNTERS,
        "n_inst_o <= 32'd0;",
        "",
        "n_inst_steps_clears_and_holds",
    ),
    ProofMutant(
        "total_saturates",
        "counters",
        _COUNTERS,
        "cyc_total_o <= cyc_total_o + 32'd1",
        "cyc_total_o <= cyc_total_o + {31'd0, ~&cyc_total_o}",
        "cyc_total_steps_clears_and_holds",
    ),
    ProofMutant(
        "vector_cycles_counted_twice",
        "counters",
        _COUNTERS_SAY,
        "running_q && vec_q}",
        "running_q}",
        "cyc_vec_steps_clears_and_holds",
    ),
    ProofMutant(
        "pc_of_12_bits",
        "sequencer",
        _SEQUENCER,
        "pc_q <= pc_q + 16'd1;",
        "pc_q <= {pc_q[15:12], pc_q[11:0] + 12'd1};",
        "the_address_is_the_pc_in_every_cycle",
    ),
    ProofMutant(
        "word_sampled_in_issue_too",
        "sequencer",
        _SEQUENCER,
        "StIssue: begin\n            if",
        "StIssue: begin\n            instruction_q <= imem_data_i;\n            if",
        "the_word_of_fetch_is_executed",
    ),
    ProofMutant(
        "start_remembered_in_issue",
        "sequencer",
        _SEQUENCER,
        "end else begin\n              state_q <= StHalted;",
        "end else begin\n              state_q <= start_i && halt ? StFetch : StHalted;",
        "halted_rises_at_the_edge_that_ends_issue",
    ),
    ProofMutant(
        "start_wins_over_reset",
        "sequencer",
        _SEQUENCER,
        "if (rst_i) begin",
        "if (rst_i && !(start_i && state_q == StHalted)) begin",
        "fetch_takes_one_cycle",
    ),
    ProofMutant(
        "reserved_bit_looked_at",
        "sequencer",
        _SEQUENCER,
        "(depth > 8'd64)",
        "(depth > 8'd64) || instruction_q[21]",
        "one_unit_has_the_turn_and_it_is_the_right_one",
    ),
    ProofMutant(
        "depth_of_65_is_legal",
        "sequencer",
        _SEQUENCER_SAYS,
        "word_q[37:30] > 8'd64",
        "word_q[37:30] > 8'd65",
        "one_unit_has_the_turn_and_it_is_the_right_one",
    ),
    ProofMutant(
        "request_waits_for_a_response",
        "load",
        _LOAD,
        "if (requesting_q) begin",
        "if (requesting_q && !resp_valid_i) begin",
        "request_addresses_ascend",
    ),
    ProofMutant(
        "response_taken_while_idle",
        "load",
        _LOAD,
        "write_q <= take_response;",
        "write_q <= take_response && requesting_q;",
        "a_response_is_written_in_the_next_cycle",
    ),
    ProofMutant(
        "load_address_of_11_bits",
        "load",
        _LOAD,
        "write_addr_q <= write_addr_q + 12'd1",
        "write_addr_q <= {write_addr_q[11], write_addr_q[10:0] + 11'd1}",
        "the_address_has_come_as_far",
    ),
    ProofMutant(
        "requests_a_word_too_many",
        "load",
        _LOAD_SAYS,
        "busy >= 16'd1 && busy <= length",
        "busy >= 16'd1 && busy <= length + 16'd1",
        "requests_in_busy_cycles_1_to_len",
    ),
    ProofMutant(
        "store_writes_a_cycle_late",
        "store",
        _STORE,
        "wr_valid_q   <= data_valid_q;",
        "wr_valid_q   <= state_q == StLastData || (data_valid_q && wr_valid_q) || data_valid_q && left_q[0];",
        "writes_in_busy_cycles_3_to_len_plus_2",
    ),
    ProofMutant(
        "store_address_stays_at_the_end",
        "store",
        _STORE,
        "wr_addr_q <= wr_addr_q + 16'd1",
        "wr_addr_q <= wr_addr_q + {15'd0, ~&wr_addr_q}",
        "write_addresses_ascend",
    ),
    ProofMutant(
        "store_busy_for_len_plus_3",
        "store",
        _STORE_SAYS,
        "done_o == (working_o && busy == length + 16'd2)",
        "done_o == (working_o && busy == length + 16'd3)",
        "busy_for_len_plus_2",
    ),
    ProofMutant(
        "scaling_rounds_down",
        "requantizer",
        _SCALE,
        "(doubled + 56'd1) >> 1",
        "doubled >> 1",
        "rounded_and_clamped",
    ),
    ProofMutant(
        "shifts_above_55_taken_modulo_32",
        "requantizer",
        _SCALE,
        "{magnitude, 1'b0} >> shift_i",
        "{magnitude, 1'b0} >> (shift_i > 6'd55 ? shift_i - 6'd32 : shift_i)",
        "rounded_and_clamped",
    ),
    ProofMutant(
        "multiplier_is_signed",
        "requantizer",
        _SCALE,
        "$signed({1'b0, multiplier_i})",
        "$signed({multiplier_i[23], multiplier_i})",
        "the_product_is_that_of_the_word_read",
    ),
    ProofMutant(
        "low_is_minus_128",
        "requantizer",
        _SCALE_SAYS,
        "relu_i ? 32'd0 : -clamped",
        "relu_i ? 32'd0 : rounded > 64'd127 ? -32'd128 : -clamped",
        "rounded_and_clamped",
    ),
    ProofMutant(
        "sum_of_8_bits",
        "vector-add",
        _ADD,
        "sum_q <= first_q + $signed(read_data_i)",
        "sum_q <= $signed(first_q[7:0] + read_data_i)",
        "added_and_clamped",
    ),
    ProofMutant(
        "second_source_wraps_early",
        "vector-add",
        _ADD,
        "addr2_q <= addr2_q + 12'd1",
        "addr2_q <= {addr2_q[11], addr2_q[10:0] + 11'd1}",
        "addresses",
    ),
    ProofMutant(
        "sum_may_be_minus_128",
        "vector-add",
        _ADD_SAYS,
        "sum < -127 ? -127",
        "sum < -128 ? -128",
        "added_and_clamped",
    ),
    ProofMutant(
        "last_maximum",
        "argmax",
        _MAX,
        "word_q > best_q",
        "word_q >= best_q",
        "best_so_far_is_the_first",
    ),
    ProofMutant(
        "unsigned_maximum",
        "argmax",
        _MAX,
        "word_q > best_q",
        "$unsigned(word_q) > $unsigned(best_q)",
        "best_so_far_is_the_largest",
    ),
    ProofMutant(
        "every_word_is_smaller",
        "argmax",
        _MAX_SAYS,
        "no_word_is_larger : assert (!write_o || !seen || word_of_index_q <= best_q);",
        "no_word_is_larger : assert (!write_o || !seen || word_of_index_q < best_q);",
        "no_word_is_larger",
    ),
    ProofMutant(
        "load_never_ends",
        "chip",
        _CHIP,
        "assign any_done = |done;",
        "assign any_done = |done[7:2];",
        "one_unit_at_work",
    ),
    ProofMutant(
        "argmax_not_counted",
        "chip",
        _CHIP,
        "turn[Va] || turn[Am])",
        "turn[Va])",
        "vec_cycles_step_in_its_busy_cycles",
    ),
    ProofMutant(
        "reset_leaves_the_counters",
        "chip",
        _SEQUENCER,
        "assign clear_o = rst_i || begin_program;",
        "assign clear_o = begin_program;",
        "all_is_zero_after_reset",
    ),
    ProofMutant(
        "turns_overlap",
        "chip",
        _SEQUENCER,
        "in_turn && (opcode[2:0] == unit)",
        "in_turn && ((opcode[2:0] | {2'd0, state_q == StBusy}) == unit)",
        "one_unit_at_work",
    ),
    ProofMutant(
        "halt_counts_one_cycle",
        "chip",
        _CHIP_SAYS,
        "assert (!halted || overhead_q == {n_inst[30:0], 1'b0} + 32'd2);",
        "assert (!halted || overhead_q == {n_inst[30:0], 1'b0} + 32'd1);",
        "the_sum_law_once_halted",
    ),
    ProofMutant(
        "dividend_of_2_to_37",
        "reciprocal",
        _RECIPROCAL,
        "OneStep = 6'd1;",
        "OneStep = 6'd2;",
        "quotient_times_divisor_and_remainder_give_the_dividend",
    ),
    ProofMutant(
        "division_of_4_steps",
        "reciprocal",
        _RECIPROCAL_SAYS,
        "assert (done_o == (steps_q == 6'd39));",
        "assert (done_o == (steps_q == 6'd3));",
        "done_in_the_last_of_40_steps",
    ),
    ProofMutant(
        "stride_of_11_bits",
        "matrix",
        _MATRIX,
        "next_line_q <= next_line_q + stride_q;",
        "next_line_q <= next_line_q + {1'b0, stride_q[10:0]};",
        "its_next_line",
    ),
    ProofMutant(
        "single_column_waits",
        "matrix",
        _MATRIX,
        "else if (last_column != 6'd0) state_q <= StWaveRight;\n            else",
        "else if (last_row == 6'd0) state_q <= StWaveRight;\n            else",
        "every_phase_takes_its_cycles",
    ),
    ProofMutant(
        "matrix_busy_for_one_cycle_more",
        "matrix",
        _MATRIX_SAYS,
        "+ mn + 16'd7",
        "+ mn + 16'd8",
        "busy_for_the_cycles_of_all_phases",
    ),
    ProofMutant(
        "lanes_of_b_swapped",
        "matrix",
        _MATRIX_SAYS,
        "land_lane_b == (transpose_b_i ?",
        "land_lane_b == (!transpose_b_i ?",
        "words_of_b_land_at_n_and_k",
    ),
    ProofMutant(
        "second_pass_reads_the_destination",
        "softmax",
        _SOFTMAX,
        "StLastMaximum: begin\n            read_addr_q <= src_i;",
        "StLastMaximum: begin\n            read_addr_q <= dst_i;",
        "read_addresses_of_src_src_and_dst",
    ),
    ProofMutant(
        "division_a_cycle_early",
        "softmax",
        _SOFTMAX,
        "StLastLookup: state_q <= StLastExponential;",
        "StLastLookup: state_q <= StStartDivision;",
        "every_pass_takes_its_cycles",
    ),
    ProofMutant(
        "softmax_busy_for_3_len_plus_48",
        "softmax",
        _SOFTMAX_SAYS,
        "length + length + length + 16'd47",
        "length + length + length + 16'd48",
        "busy_for_3_len_plus_47",
    ),
    ProofMutant(
        "exponentials_written_to_src",
        "softmax",
        _SOFTMAX_SAYS,
        "assign write_addr = dst_i + written_q;",
        "assign write_addr = src_i + written_q;",
        "the_write_address_counts",
    ),
    ProofMutant(
        "a_request_is_missing",
        "pins",
        _LOAD,
        "assign req_valid_o = requesting_q;",
        "assign req_valid_o = requesting_q && (requests_left_q != 12'd2);",
        _JUDGED,
    ),
    ProofMutant(
        "writes_a_cycle_early",
        "pins",
        _STORE,
        "assign wr_valid_o = wr_valid_q;",
        "assign wr_valid_o = data_valid_q;",
        _JUDGED,
    ),
    ProofMutant(
        "pc_shows_the_next_word_while_halted",
        "pins",
        _SEQUENCER,
        "assign imem_addr_o = pc_q;",
        "assign imem_addr_o = pc_q + {15'd0, halted_o};",
        _JUDGED,
    ),
    ProofMutant(
        "halted_at_a_fault_alone",
        "pins",
        _SEQUENCER,
        "assign halted_o = state_q == StHalted;",
        "assign halted_o = (state_q == StHalted) && !running_o && fault_q;",
        "ends_agree",
    ),
    ProofMutant(
        "total_counts_while_halted",
        "pins",
        _COUNTERS,
        "    end else if (clear_i) begin",
        "    end else if (!clear_i) begin\n      cyc_total_o <= cyc_total_o + 32'd1;\n    end else begin",
        "totals_agree",
    ),
    ProofMutant(
        "start_honoured_in_issue",
        "pins",
        _SEQUENCER,
        "            if (issue_to_unit) begin",
        "            if (start_i) state_q <= StFetch;\n            else if (issue_to_unit) begin",
        "phases_agree",
    ),
    ProofMutant(
        "start_wins_over_reset",
        "pins",
        _SEQUENCER,
        "      if (rst_i) begin",
        "      if (rst_i && !start_i) begin",
        "phases_agree",
    ),
    ProofMutant(
        "opcode_15_is_legal",
        "pins",
        _SEQUENCER,
        "!halt && (opcode[3] ||",
        "!halt && ((opcode[3] && (opcode != 4'd15)) ||",
        "phases_agree",
    ),
    ProofMutant(
        "a_stray_response_in_issue_counts",
        "pins",
        _LOAD,
        "responses_left_q <= length_i;",
        "responses_left_q <= length_i - {11'd0, resp_valid_i};",
        "load_counts_agree",
    ),
    ProofMutant(
        "the_prediction_writes_a_cycle_early",
        "pins",
        _PROTOCOL,
        "wake = issued + 32'd2;",
        "wake = issued + 32'd1;",
        "store_wakes",
    ),
    ProofMutant(
        "the_prediction_of_softmax_takes_48",
        "pins",
        _RULES,
        "length + length + length + 32'd47",
        "length + length + length + 32'd48",
        "a_unit_has_its_time",
    ),
    ProofMutant(
        "the_time_of_argmax_is_4",
        "pins",
        "ga2_pins_properties.sv",
        "default: table_says = length + 32'd3;",
        "default: table_says = length + 32'd4;",
        "a_unit_has_its_time",
    ),
)
