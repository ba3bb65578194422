// docs/isa.md, LD: requests in busy cycles 1..len whatever the responses do, data and addresses in order, the
// last busy cycle one after the last response.

module ga2_dma_load_properties (
    input logic        clk_i,
    input logic        rst_i,
    input logic        wake_i,
    input logic [11:0] dst_i,
    input logic [15:0] src_i,
    input logic [11:0] length_i,
    input logic        working_o,
    input logic        done_o,
    input logic        req_valid_o,
    input logic [15:0] req_addr_o,
    input logic        resp_valid_i,
    input logic [31:0] resp_data_i,
    input logic        write_o,
    input logic [11:0] write_addr_o,
    input logic [31:0] write_data_o,
    // Inside.
    input logic [11:0] requests_left_q,
    input logic [11:0] responses_left_q,
    input logic        requesting_q
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

  logic [11:0] past_dst_q, past_length_q;
  logic [15:0] past_src_q;
  logic [12:0] requested_q, taken_q;  // of this instruction, before this cycle
  logic take, past_take_q, past_rst_q;
  logic [31:0] past_data_q;
  assign take = working_o && resp_valid_i && taken_q < {1'b0, length_i};

  always_ff @(posedge clk_i) begin
    past_dst_q <= dst_i;
    past_src_q <= src_i;
    past_length_q <= length_i;
    past_rst_q <= rst_i;
    past_take_q <= take && !rst_i;
    past_data_q <= resp_data_i;
    if (!working_o) begin
      requested_q <= 13'd0;
      taken_q <= 13'd0;
    end else begin
      requested_q <= requested_q + {12'd0, req_valid_o};
      taken_q <= taken_q + {12'd0, take};
    end
  end

  logic stable;
  assign stable = dst_i == past_dst_q && src_i == past_src_q && length_i == past_length_q;

  logic [15:0] length, number, request_addr;
  logic [11:0] word_addr, written;
  assign length = {4'd0, length_i};
  assign number = busy - 16'd1;
  assign request_addr = src_i + number;
  assign word_addr = dst_i + taken_q[11:0] - 12'd1;
  assign written = write_addr_o - dst_i;

  always_comb begin
    if (valid) begin
      assume (!working_o || stable);
      assume (length_i != 12'd0);
      // A response answers a request of an earlier cycle.
      assume (!take || taken_q < requested_q);

      requests_in_busy_cycles_1_to_len :
      assert (req_valid_o == (working_o && busy >= 16'd1 && busy <= length));
      request_addresses_ascend : assert (!req_valid_o || req_addr_o == request_addr);
      a_response_is_written_in_the_next_cycle : assert (write_o == (past_take_q && !past_rst_q));
      its_data_is_written : assert (!write_o || write_data_o == past_data_q);
      write_addresses_ascend : assert (!write_o || write_addr_o == word_addr);
      the_last_write_ends_it : assert (done_o == (write_o && taken_q == {1'b0, length_i}));
      no_access_while_idle : assert (working_o || (!req_valid_o && !write_o));

      // What makes it inductive.
      requests_left : assert (!requesting_q || {4'd0, requests_left_q} == length - number);
      requests_counted :
      assert (!working_o || {3'd0, requested_q} == (busy > length ? length : number));
      responses_left :
      assert (!working_o || {1'b0, responses_left_q} == {1'b0, length_i} - taken_q);
      taken_at_most_length : assert (!working_o || taken_q <= {1'b0, length_i});
      taken_after_requested : assert (!working_o || taken_q <= requested_q);
      at_work_until_the_last_write :
      assert (!working_o || taken_q != {1'b0, length_i} || past_take_q);
      the_address_has_come_as_far : assert (!working_o || write_o || written == taken_q[11:0]);
    end
    two_words_apart : cover (valid && done_o && length_i == 12'd2 && busy == 16'd6);
    addresses_wrap : cover (valid && req_valid_o && req_addr_o == 16'd0 && busy == 16'd2);
  end

endmodule
