// docs/isa.md, AMAX: the index of the first maximum of signed words, one write, busy for len + 3 cycles.
//
// index is any index, but always the same: what holds for it holds for all.

module ga2_argmax_properties (
    input logic               clk_i,
    input logic               rst_i,
    input logic               wake_i,
    input logic        [11:0] dst_i,
    input logic        [11:0] src_i,
    input logic        [11:0] length_i,
    input logic               working_o,
    input logic               done_o,
    input logic               read_o,
    input logic        [11:0] read_addr_o,
    input logic        [31:0] read_data_i,
    input logic               write_o,
    input logic        [11:0] write_addr_o,
    input logic        [11:0] write_data_o,
    // Inside.
    input logic        [ 2:0] state_q,
    input logic        [11:0] left_q,
    input logic               data_valid_q,
    input logic               word_valid_q,
    input logic signed [31:0] word_q,
    input logic signed [31:0] best_q,
    input logic        [11:0] index_q,
    input logic        [11:0] best_index_q
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

  (* anyconst *) logic [11:0] index;
  logic [11:0] past_dst_q, past_src_q, past_length_q;
  logic signed [31:0] word_of_index_q;

  always_ff @(posedge clk_i) begin
    past_dst_q <= dst_i;
    past_src_q <= src_i;
    past_length_q <= length_i;
    if (busy == {4'd0, index} + 16'd2) word_of_index_q <= read_data_i;
  end

  logic stable;
  assign stable = dst_i == past_dst_q && src_i == past_src_q && length_i == past_length_q;

  logic [15:0] length, compared, past_read;
  logic [11:0] read_addr;
  logic seen;
  assign length = {4'd0, length_i};
  assign read_addr = src_i + busy[11:0] - 12'd1;
  assign past_read = busy - length + 16'd1;
  assign compared = busy < 16'd4 ? 16'd0 : busy - 16'd3;
  assign seen = working_o && index < length_i && busy >= {4'd0, index} + 16'd4;

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);

      reads_in_busy_cycles_1_to_len : assert (read_o == (working_o && busy <= length));
      read_addresses_ascend : assert (!read_o || read_addr_o == read_addr);
      one_write_in_the_last_busy_cycle : assert (write_o == done_o);
      busy_for_len_plus_3 : assert (done_o == (working_o && busy == length + 16'd3));
      it_is_written_to_dst : assert (!write_o || write_addr_o == dst_i);
      the_result_is_an_index : assert (!write_o || write_data_o < length_i);
      no_word_is_larger : assert (!write_o || !seen || word_of_index_q <= best_q);
      no_earlier_word_is_as_large :
      assert (!write_o || !seen || index >= write_data_o || word_of_index_q < best_q);
      the_word_of_the_result_is_the_maximum :
      assert (!write_o || !seen || index != write_data_o || word_of_index_q == best_q);
      every_index_is_compared : assert (!write_o || seen || index >= length_i);

      // What makes it inductive.
      the_state_follows :
      assert (!working_o || state_q == (busy <= length ? 3'd1 : past_read[2:0]));
      words_left : assert (!read_o || {4'd0, left_q} == length - busy + 16'd1);
      not_longer : assert (!working_o || busy <= length + 16'd3);
      data_in_busy_cycles_2_to_len_plus_1 :
      assert (data_valid_q == (working_o && busy >= 16'd2 && busy <= length + 16'd1));
      words_in_busy_cycles_3_to_len_plus_2 :
      assert (word_valid_q == (working_o && busy >= 16'd3 && busy <= length + 16'd2));
      the_index_counts_words : assert (!working_o || {4'd0, index_q} == compared);
      the_word_of_index :
      assert (!word_valid_q || busy != {4'd0, index} + 16'd3 || word_q == word_of_index_q);
      best_so_far_is_an_index :
      assert (!working_o || best_index_q == 12'd0 || {4'd0, best_index_q} < compared);
      best_so_far_is_the_largest : assert (!seen || word_of_index_q <= best_q);
      best_so_far_is_the_first :
      assert (!seen || index >= best_index_q || word_of_index_q < best_q);
      best_so_far_is_a_word : assert (!seen || index != best_index_q || word_of_index_q == best_q);
      lowest_before_the_first_word :
      assert (!working_o || compared != 16'd0 ||
              (best_q == 32'sh8000_0000 && best_index_q == 12'd0));
    end
    second_of_three : cover (valid && write_o && length_i == 12'd3 && write_data_o == 12'd1);
  end

endmodule
