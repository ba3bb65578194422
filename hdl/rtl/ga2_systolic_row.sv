// One row of the systolic array: four multipliers with their accumulators (output stationary).
//
//            b_i[0]      b_i[1]      b_i[2]      b_i[3]
//              |           |           |           |
//   a_i ---> (x +) -a-> (x +) -a-> (x +) -a-> (x +)         -a-> one register to the right
//              |           |           |           |
//              v           v           v           v         one register down: b_o
//
// a_i belongs to column 0 in its cycle and to column c, c cycles later. Columns outside the tile
// keep their accumulators still. 22 bits hold the largest sum, 64 * 128 * 128 = 2^20.

module ga2_systolic_row (
    input  logic               clk_i,
    input  logic               wake_i,     // clear, step or read
    input  logic               clear_i,    // zero the accumulators and the values on their way
    input  logic               step_i,     // multiply, accumulate and move on
    input  logic        [ 2:0] columns_i,  // N, 1 to 4
    input  logic signed [ 7:0] a_i,
    input  logic        [31:0] b_i,        // four int8 values, column 0 lowest
    output logic        [31:0] b_o,
    input  logic        [ 1:0] column_i,   // accumulator put on sum_o when neither clear nor step
    output logic        [21:0] sum_o
);

  logic [23:0] a_q;  // the values of columns 3, 2, 1
  logic signed [21:0] sum0_q, sum1_q, sum2_q, sum3_q;

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (step_i) begin
        a_q <= {a_q[15:0], a_i};
        b_o <= b_i;
        sum0_q <= sum0_q + a_i * $signed(b_i[7:0]);
        if (columns_i > 3'd1) sum1_q <= sum1_q + $signed(a_q[7:0]) * $signed(b_i[15:8]);
        if (columns_i > 3'd2) sum2_q <= sum2_q + $signed(a_q[15:8]) * $signed(b_i[23:16]);
        if (columns_i > 3'd3) sum3_q <= sum3_q + $signed(a_q[23:16]) * $signed(b_i[31:24]);
      end else if (clear_i) begin
        a_q <= 24'd0;
        b_o <= 32'd0;
        sum0_q <= 22'sd0;
        sum1_q <= 22'sd0;
        sum2_q <= 22'sd0;
        sum3_q <= 22'sd0;
      end else begin
        case (column_i)
          2'd0: sum_o <= sum0_q;
          2'd1: sum_o <= sum1_q;
          2'd2: sum_o <= sum2_q;
          default: sum_o <= sum3_q;
        endcase
      end
    end
  end

endmodule
