// Operand rows: memory for one operand tile of a matrix multiplication, and its skew.
//
// Four lanes (rows of A, or columns of B) of up to 64 int8 values stand side by side in one memory,
// so that one read gives element k of every lane. The systolic array wants lane i delayed by i
// cycles; a triangle of registers does that:
//
//            out_q          skew1_q       skew2_q       skew3_q       lanes_o
//   lane 0   [ 7: 0] ---------------------------------------------->  [ 7: 0]   k
//   lane 1   [15: 8] ----->  [ 7: 0] ------------------------------->  [15: 8]   k - 1
//   lane 2   [23:16] ----->  [15: 8] ---->  [ 7:0] ----------------->  [23:16]   k - 2
//   lane 3   [31:24] ----->  [23:16] ---->  [15:8] ---->  [7:0] ---->  [31:24]   k - 3
//
// Each skew register holds only the lanes that still wait, next one lowest. After the last word,
// zeros are fed (zero_i), so that what leaves behind the data adds nothing.

module ga2_operand_rows (
    input  logic        clk_i,
    input  logic        wake_i,        // something to do
    // Staging: one value a cycle.
    input  logic        write_i,
    input  logic [ 1:0] write_lane_i,
    input  logic [ 5:0] write_k_i,
    input  logic [ 7:0] write_data_i,
    // Streaming.
    input  logic        feed_i,        // advance by one word; empty the skew if awake for neither
    input  logic        zero_i,        // feed zeros instead of word feed_k_i
    input  logic [ 5:0] feed_k_i,
    output logic [31:0] lanes_o
);

  logic [31:0] mem[64];

  logic [31:0] out_q;
  logic [23:0] skew1_q;  // lanes 3, 2, 1
  logic [15:0] skew2_q;  // lanes 3, 2
  logic [7:0] skew3_q;  // lane 3

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (write_i) begin
        mem[write_k_i][{write_lane_i, 3'd0}+:8] <= write_data_i;
      end else if (feed_i) begin
        out_q   <= zero_i ? 32'd0 : mem[feed_k_i];
        skew1_q <= out_q[31:8];
        skew2_q <= skew1_q[23:8];
        skew3_q <= skew2_q[15:8];
      end else begin
        out_q   <= 32'd0;
        skew1_q <= 24'd0;
        skew2_q <= 16'd0;
        skew3_q <= 8'd0;
      end
    end
  end

  assign lanes_o = {skew3_q, skew2_q[7:0], skew1_q[7:0], out_q[7:0]};

endmodule
