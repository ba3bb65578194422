// docs/isa.md, RQ: clamp(sign(acc) * floor((|acc| * m + floor(2^s / 2)) / 2^s), low, 127) of every word, one a
// cycle, busy for len + 2 cycles.
//
// The product itself is the solver's own multiplication of the same operands; that |acc * m| = |acc| * m is left
// to arithmetic. Rounding and clamp are written as the page has them, in 64 bits.

module ga2_requantizer_properties (
    input logic               clk_i,
    input logic               rst_i,
    input logic               wake_i,
    input logic        [11:0] dst_i,
    input logic        [11:0] src_i,
    input logic        [11:0] length_i,
    input logic        [23:0] multiplier_i,
    input logic        [ 5:0] shift_i,
    input logic               relu_i,
    input logic               working_o,
    input logic               done_o,
    input logic               read_o,
    input logic        [11:0] read_addr_o,
    input logic        [31:0] read_data_i,
    input logic               write_o,
    input logic        [11:0] write_addr_o,
    input logic        [31:0] write_data_o,
    // Inside.
    input logic        [11:0] left_q,
    input logic               data_valid_q,
    input logic signed [55:0] product_q
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

  logic [11:0] past_dst_q, past_src_q, past_length_q;
  logic [23:0] past_multiplier_q;
  logic [5:0] past_shift_q;
  logic past_relu_q;
  logic signed [55:0] exact_q;

  always_ff @(posedge clk_i) begin
    past_dst_q <= dst_i;
    past_src_q <= src_i;
    past_length_q <= length_i;
    past_multiplier_q <= multiplier_i;
    past_shift_q <= shift_i;
    past_relu_q <= relu_i;
    exact_q <= $signed(read_data_i) * $signed({1'b0, multiplier_i});
  end

  logic stable;
  assign stable = dst_i == past_dst_q && src_i == past_src_q && length_i == past_length_q &&
      multiplier_i == past_multiplier_q && shift_i == past_shift_q && relu_i == past_relu_q;

  logic [15:0] length;
  logic [11:0] read_addr, write_addr;
  assign length = {4'd0, length_i};
  assign read_addr = src_i + busy[11:0] - 12'd1;
  assign write_addr = dst_i + busy[11:0] - 12'd3;

  // Rounding and clamp.
  logic [63:0] magnitude, half, rounded;
  logic [31:0] clamped, expected;
  assign magnitude = product_q < 0 ? {8'd0, -product_q} : {8'd0, product_q};
  assign half = (64'd1 << shift_i) >> 1;
  assign rounded = (magnitude + half) >> shift_i;
  assign clamped = rounded > 64'd127 ? 32'd127 : rounded[31:0];
  assign expected = product_q >= 0 ? clamped : relu_i ? 32'd0 : -clamped;

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);

      reads_in_busy_cycles_1_to_len : assert (read_o == (working_o && busy <= length));
      read_addresses_ascend : assert (!read_o || read_addr_o == read_addr);
      writes_in_busy_cycles_3_to_len_plus_2 :
      assert (write_o == (working_o && busy >= 16'd3 && busy <= length + 16'd2));
      write_addresses_ascend : assert (!write_o || write_addr_o == write_addr);
      busy_for_len_plus_2 : assert (done_o == (working_o && busy == length + 16'd2));
      the_product_is_that_of_the_word_read : assert (!write_o || product_q == exact_q);
      rounded_and_clamped :
      assert (!write_o || magnitude[63:55] != 9'd0 || write_data_o == expected);

      // What makes it inductive.
      words_left : assert (!read_o || {4'd0, left_q} == length - busy + 16'd1);
      not_longer : assert (!working_o || busy <= length + 16'd2);
      data_in_busy_cycles_2_to_len_plus_1 :
      assert (data_valid_q == (working_o && busy >= 16'd2 && busy <= length + 16'd1));
      next_address : assert (!working_o || busy >= 16'd3 || write_addr_o == dst_i);
    end
    two_words : cover (valid && done_o && length_i == 12'd2);
  end

endmodule
