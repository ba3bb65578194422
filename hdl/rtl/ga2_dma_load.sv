// LD: moves length words from external memory to the scratchpad.
//
// Requests leave in consecutive cycles from the first busy cycle on and never wait for a response.
// Responses come in order; each is registered and written to the scratchpad a cycle later.
//
//   cycle           1    2   ...  len  ...            r+1      r+2
//   request         0    1  ...  len-1
//   response                      0  ...  (in order)  len-1
//   scratchpad write                     0  ...                len-1
//
// Busy cycles: r + 2, with r the cycles from the first request to the last response, len - 1 + LAT
// with a fixed latency, so len + LAT + 1.
//   len       structure: one request a cycle
//   LAT       structure: the external memory's own latency
//   1         control constant: the response register in front of the scratchpad

module ga2_dma_load (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,        // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] dst_i,
    input  logic [15:0] src_i,
    input  logic [11:0] length_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // External memory.
    output logic        req_valid_o,
    output logic [15:0] req_addr_o,
    input  logic        resp_valid_i,
    input  logic [31:0] resp_data_i,
    // Scratchpad.
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [31:0] write_data_o
);

  logic working_q;  // the whole state: at work or idle; both directions count down by themselves
  logic [11:0] requests_left_q;
  logic [11:0] responses_left_q;
  logic requesting_q;
  logic [15:0] req_addr_q;
  logic write_q;
  logic [11:0] write_addr_q;
  logic [31:0] write_data_q;

  logic take_response;
  assign take_response = resp_valid_i && (responses_left_q != 12'd0);

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        working_q <= 1'b0;
        requesting_q <= 1'b0;
        write_q <= 1'b0;
      end else if (!working_q) begin
        working_q <= 1'b1;
        requesting_q <= 1'b1;
        req_addr_q <= src_i;
        requests_left_q <= length_i;
        responses_left_q <= length_i;
        write_addr_q <= dst_i;
      end else begin
        if (requesting_q) begin
          req_addr_q <= req_addr_q + 16'd1;
          requests_left_q <= requests_left_q - 12'd1;
          if (requests_left_q == 12'd1) requesting_q <= 1'b0;
        end
        write_q <= take_response;
        if (take_response) begin
          write_data_q <= resp_data_i;
          responses_left_q <= responses_left_q - 12'd1;
        end
        if (write_q) write_addr_q <= write_addr_q + 12'd1;
        if (done_o) working_q <= 1'b0;
      end
    end
  end

  assign working_o = working_q;
  assign done_o = write_q && (responses_left_q == 12'd0);
  assign req_valid_o = requesting_q;
  assign req_addr_o = req_addr_q;
  assign write_o = write_q;
  assign write_addr_o = write_addr_q;
  assign write_data_o = write_data_q;

endmodule
