// docs/isa.md, VADD: low bytes added and clamped to -127..127, two reads an element, busy for 2 * len + 2 cycles.

module ga2_vector_add_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic [11:0] dst_i,
    input logic [11:0] src1_i,
    input logic [11:0] src2_i,
    input logic [11:0] length_i,
    input logic        working_o,
    input logic        done_o,
    input logic        read_o,
    input logic [11:0] read_addr_o,
    input logic [ 7:0] read_data_i,
    input logic        write_o,
    input logic [11:0] write_addr_o,
    input logic [31:0] write_data_o,
    // Inside.
    input logic [ 2:0] state_q,
    input logic [11:0] addr1_q,
    input logic [11:0] addr2_q,
    input logic [11:0] left_q,
    input logic        second_valid_q,
    input logic [ 7:0] first_q
);

  logic valid;
  logic [15:0] busy;
  ga2_turn_properties u_turn (
      .clk_i,
      .rst_i,
      .wake_i,
      .working_o,
      .done_o,
      .valid_o(valid),
      .busy_o (busy)
  );

  logic [11:0] past_dst_q, past_src1_q, past_src2_q, past_length_q;
  logic signed [7:0] past_data_q, past_past_data_q;

  always_ff @(posedge clk_i) begin
    past_dst_q <= dst_i;
    past_src1_q <= src1_i;
    past_src2_q <= src2_i;
    past_length_q <= length_i;
    past_data_q <= read_data_i;
    past_past_data_q <= past_data_q;
  end

  logic stable;
  assign stable = dst_i == past_dst_q && src1_i == past_src1_q && src2_i == past_src2_q &&
      length_i == past_length_q;

  logic [15:0] twice;
  logic [11:0] element, element_written, element_addr1, element_addr2, write_addr;
  logic [11:0] next_addr1;
  assign next_addr1 = element_addr1 + {11'd0, !busy[0]};
  assign twice = {3'd0, length_i, 1'b0};
  assign element = busy[12:1] - {11'd0, !busy[0]};  // (busy - 1) / 2
  assign element_written = busy[12:1] - 12'd2;
  assign element_addr1 = src1_i + element;
  assign element_addr2 = src2_i + element;
  assign write_addr = dst_i + element_written;

  logic signed [31:0] sum, expected;
  assign sum = past_past_data_q + past_data_q;
  assign expected = sum > 127 ? 127 : sum < -127 ? -127 : sum;

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);

      reads_in_busy_cycles_1_to_2_len : assert (read_o == (working_o && busy <= twice));
      first_and_second_operand_in_turn :
      assert (!read_o || read_addr_o == (busy[0] ? element_addr1 : element_addr2));
      a_write_in_every_second_cycle_from_4_on :
      assert (write_o == (working_o && !busy[0] && busy >= 16'd4));
      write_addresses_ascend : assert (!write_o || write_addr_o == write_addr);
      added_and_clamped : assert (!write_o || write_data_o == expected);
      busy_for_2_len_plus_2 : assert (done_o == (working_o && busy == twice + 16'd2));
      the_last_write_is_in_the_last_busy_cycle : assert (!done_o || write_o);

      // What makes it inductive.
      the_state_follows :
      assert (!working_o || state_q == (busy > twice ? 3'd3 : 3'd1) + {2'd0, !busy[0]});
      addresses : assert (!read_o || (addr1_q == next_addr1 && addr2_q == element_addr2));
      words_left : assert (!read_o || left_q == length_i - element);
      not_longer : assert (!working_o || busy <= twice + 16'd2);
      second_operands_in_odd_cycles_from_3_on :
      assert (second_valid_q == (working_o && busy[0] && busy >= 16'd3));
      the_first_operand_waits : assert (!second_valid_q || first_q == past_data_q);
      next_address :
      assert (!working_o || write_o || write_addr_o == (busy < 16'd4 ? dst_i : write_addr + 12'd1));
    end
    three_elements : cover (valid && done_o && length_i == 12'd3);
    clamped_below : cover (valid && write_o && sum < -127);
  end

endmodule
