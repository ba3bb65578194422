// Reciprocal in Q38: floor(2^38 / divisor) by restoring division, one quotient bit a cycle.
//
// Each step shifts the next dividend bit into the remainder. If the divisor fits in it is subtracted
// and the quotient bit is 1, otherwise 0. The dividend has 40 bits, of which bit 38 alone is 1.
//
// start_i loads; the next 40 cycles are steps, done_o is high in the last of them, and quotient_o
// holds from the cycle after it until the next start. All of that is structure: one step for each
// bit of the dividend.
//
// Widths: a remainder is below the divisor, and a divisor above 2^15 gives a quotient below 2^23.

module ga2_reciprocal (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,     // reset, start or stepping
    input  logic        start_i,
    input  logic [27:0] divisor_i,
    output logic        done_o,
    output logic [22:0] quotient_o
);

  localparam logic [5:0] OneStep = 6'd1;  // that of dividend bit 38
  localparam logic [5:0] LastStep = 6'd39;

  logic stepping_q;
  logic [5:0] step_q;
  logic [27:0] divisor_q;
  logic [27:0] remainder_q;
  logic [22:0] quotient_q;  // quotient bits enter at the bottom

  logic [28:0] shifted;
  logic fits;
  assign shifted = {remainder_q, step_q == OneStep};
  assign fits = shifted >= {1'b0, divisor_q};

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        stepping_q <= 1'b0;
      end else if (start_i) begin
        stepping_q <= 1'b1;
        step_q <= 6'd0;
        divisor_q <= divisor_i;
        remainder_q <= 28'd0;
        quotient_q <= 23'd0;
      end else begin
        step_q <= step_q + 6'd1;
        remainder_q <= fits ? shifted[27:0] - divisor_q : shifted[27:0];
        quotient_q <= {quotient_q[21:0], fits};
        if (step_q == LastStep) stepping_q <= 1'b0;
      end
    end
  end

  assign done_o = stepping_q && (step_q == LastStep);
  assign quotient_o = quotient_q;

endmodule
