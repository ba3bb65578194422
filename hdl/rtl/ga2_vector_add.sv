// VADD: saturating int8 sum of two vectors, clamped to -127..127.
//
// The scratchpad has one read port, so an element takes two reads:
//
//   cycle              1    2    3    4    5   ...  2len  2len+1  2len+2
//   scratchpad read   x0   y0   x1   y1   x2   ...
//   first register              x0        x1   ...
//   sum register                     s0        s1   ...             s(len-1)
//   scratchpad write                  0         1   ...              len-1
//
// Busy cycles: 2 * len + 2.
//   2 * len   structure: two reads an element through one port
//   2         control constant: the scratchpad's read cycle and the sum register

module ga2_vector_add (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,        // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] dst_i,
    input  logic [11:0] src1_i,
    input  logic [11:0] src2_i,
    input  logic [11:0] length_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // Scratchpad.
    output logic        read_o,
    output logic [11:0] read_addr_o,
    input  logic [ 7:0] read_data_i,
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [31:0] write_data_o
);

  typedef enum logic [2:0] {
    StIdle,
    StReadFirst,
    StReadSecond,
    StLastSum,
    StLastWrite
  } state_e;

  state_e state_q;
  logic [11:0] addr1_q, addr2_q;
  logic [11:0] left_q;
  logic second_valid_q;  // the second operand of an element is on the read port
  logic signed [7:0] first_q;
  logic write_q;
  logic [11:0] write_addr_q;
  logic signed [8:0] sum_q;  // nine bits hold every sum of two int8 values

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q <= StIdle;
        second_valid_q <= 1'b0;
        write_q <= 1'b0;
      end else begin
        case (state_q)
          StReadFirst: begin
            addr1_q <= addr1_q + 12'd1;
            state_q <= StReadSecond;
          end
          StReadSecond: begin
            first_q <= read_data_i;
            addr2_q <= addr2_q + 12'd1;
            left_q  <= left_q - 12'd1;
            if (left_q == 12'd1) state_q <= StLastSum;
            else state_q <= StReadFirst;
          end
          StLastSum: state_q <= StLastWrite;
          StIdle: begin
            addr1_q <= src1_i;
            addr2_q <= src2_i;
            write_addr_q <= dst_i;
            left_q <= length_i;
            state_q <= StReadFirst;
          end
          default:   state_q <= StIdle;  // StLastWrite, and what is no state
        endcase
        second_valid_q <= state_q == StReadSecond;
        write_q <= second_valid_q;
        if (second_valid_q) sum_q <= first_q + $signed(read_data_i);
        if (write_q) write_addr_q <= write_addr_q + 12'd1;
      end
    end
  end

  logic signed [7:0] clamped;
  assign clamped = (sum_q > 9'sd127) ? 8'sd127 : (sum_q < -9'sd127) ? -8'sd127 : sum_q[7:0];

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StLastWrite;
  assign read_o = (state_q == StReadFirst) || (state_q == StReadSecond);
  assign read_addr_o = (state_q == StReadFirst) ? addr1_q : addr2_q;
  assign write_o = write_q;
  assign write_addr_o = write_addr_q;
  assign write_data_o = {{24{clamped[7]}}, clamped};

endmodule
