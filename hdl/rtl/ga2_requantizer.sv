// RQ: q = clamp(sign(acc) * floor((|acc| * m + floor(2^s / 2)) / 2^s)), one int32 word a cycle.
//
//   cycle               1    2    3   ...  len  len+1  len+2
//   scratchpad read     0    1    2  ...  len-1
//   product                  0    1   ...       len-1
//   round, clamp, write           0   ...              len-1
//
// Busy cycles: len + 2.
//   len       structure: one word a cycle
//   2         control constant: the scratchpad's read cycle and the product register
//
// The rounding needs no 64-bit sum: with p = |acc| * m below 2^55,
//   floor((p + floor(2^s / 2)) / 2^s) = floor((floor(2p / 2^s) + 1) / 2)   for every s >= 0,
// s = 0 included, where the added bit is cut off again.

module ga2_requantizer (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,        // reset, or the turn of this unit
    // Instruction.
    input  logic [11:0] dst_i,
    input  logic [11:0] src_i,
    input  logic [11:0] length_i,
    input  logic [23:0] multiplier_i,
    input  logic [ 5:0] shift_i,
    input  logic        relu_i,
    // Progress.
    output logic        working_o,
    output logic        done_o,
    // Scratchpad.
    output logic        read_o,
    output logic [11:0] read_addr_o,
    input  logic [31:0] read_data_i,
    output logic        write_o,
    output logic [11:0] write_addr_o,
    output logic [31:0] write_data_o
);

  typedef enum logic [1:0] {
    StIdle,
    StRead,
    StLastProduct,
    StLastWrite
  } state_e;

  state_e state_q;
  logic [11:0] read_addr_q;
  logic [11:0] left_q;
  logic data_valid_q;
  logic signed [55:0] product_q;
  logic write_q;
  logic [11:0] write_addr_q;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        state_q <= StIdle;
        data_valid_q <= 1'b0;
        write_q <= 1'b0;
      end else begin
        case (state_q)
          StRead: begin
            read_addr_q <= read_addr_q + 12'd1;
            left_q <= left_q - 12'd1;
            if (left_q == 12'd1) state_q <= StLastProduct;
          end
          StLastProduct: state_q <= StLastWrite;
          StLastWrite:   state_q <= StIdle;
          default: begin  // StIdle, in its turn
            read_addr_q <= src_i;
            write_addr_q <= dst_i;
            left_q <= length_i;
            state_q <= StRead;
          end
        endcase
        data_valid_q <= read_o;
        write_q <= data_valid_q;
        if (data_valid_q) product_q <= $signed(read_data_i) * $signed({1'b0, multiplier_i});
        if (write_q) write_addr_q <= write_addr_q + 12'd1;
      end
    end
  end

  logic negative;
  logic [54:0] magnitude;  // p; its largest value, 2^31 * (2^24 - 1), is below 2^55
  logic [55:0] doubled, rounded;
  logic [6:0] clamped;
  assign negative = product_q[55];
  assign magnitude = negative ? -product_q[54:0] : product_q[54:0];
  assign doubled = {magnitude, 1'b0} >> shift_i;
  assign rounded = (doubled + 56'd1) >> 1;
  assign clamped = (rounded > 56'd127) ? 7'd127 : rounded[6:0];

  assign working_o = state_q != StIdle;
  assign done_o = state_q == StLastWrite;
  assign read_o = state_q == StRead;
  assign read_addr_o = read_addr_q;
  assign write_o = write_q;
  assign write_addr_o = write_addr_q;
  assign write_data_o = negative ? (relu_i ? 32'd0 : -{25'd0, clamped}) : {25'd0, clamped};

endmodule
