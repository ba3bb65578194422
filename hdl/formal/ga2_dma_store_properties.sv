// docs/isa.md, ST: one read a cycle from the first busy cycle on, writes exactly in busy cycles 3..len+2 with
// ascending addresses and the words read, busy for len + 2 cycles.

module ga2_dma_store_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic [11:0] src_i,
    input logic [15:0] dst_i,
    input logic [11:0] length_i,
    input logic        working_o,
    input logic        done_o,
    input logic        read_o,
    input logic [11:0] read_addr_o,
    input logic [31:0] read_data_i,
    input logic        wr_valid_o,
    input logic [15:0] wr_addr_o,
    input logic [31:0] wr_data_o,
    // Inside.
    input logic [11:0] left_q,
    input logic        data_valid_q
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

  logic [11:0] past_src_q, past_length_q;
  logic [15:0] past_dst_q;
  logic [31:0] past_data_q;

  always_ff @(posedge clk_i) begin
    past_src_q <= src_i;
    past_dst_q <= dst_i;
    past_length_q <= length_i;
    past_data_q <= read_data_i;
  end

  logic stable;
  assign stable = src_i == past_src_q && dst_i == past_dst_q && length_i == past_length_q;

  logic [15:0] length, write_addr;
  logic [11:0] read_addr;
  assign length = {4'd0, length_i};
  assign read_addr = src_i + busy[11:0] - 12'd1;
  assign write_addr = dst_i + busy - 16'd3;

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);

      reads_in_busy_cycles_1_to_len : assert (read_o == (working_o && busy <= length));
      read_addresses_ascend : assert (!read_o || read_addr_o == read_addr);
      writes_in_busy_cycles_3_to_len_plus_2 :
      assert (wr_valid_o == (working_o && busy >= 16'd3 && busy <= length + 16'd2));
      write_addresses_ascend : assert (!wr_valid_o || wr_addr_o == write_addr);
      the_word_read_is_written : assert (!wr_valid_o || wr_data_o == past_data_q);
      busy_for_len_plus_2 : assert (done_o == (working_o && busy == length + 16'd2));
      the_last_write_is_in_the_last_busy_cycle : assert (!done_o || wr_valid_o);

      // What makes it inductive.
      words_left : assert (!read_o || {4'd0, left_q} == length - busy + 16'd1);
      not_longer : assert (!working_o || busy <= length + 16'd2);
      data_in_busy_cycles_2_to_len_plus_1 :
      assert (data_valid_q == (working_o && busy >= 16'd2 && busy <= length + 16'd1));
      next_address : assert (!working_o || busy >= 16'd3 || wr_addr_o == dst_i);
    end
    two_words : cover (valid && done_o && length_i == 12'd2);
    addresses_wrap : cover (valid && wr_valid_o && wr_addr_o == 16'd0 && busy == 16'd4);
  end

endmodule
