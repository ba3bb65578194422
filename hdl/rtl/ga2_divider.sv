// Restoring divider: 40-bit unsigned quotient, one bit a cycle.
//
// Each step shifts the next dividend bit into the remainder and subtracts the divisor; a negative
// difference is thrown away (the remainder is restored) and gives a quotient bit of 0.
//
// start_i loads; the next 40 cycles are steps, done_o is high in the last of them, and quotient_o
// holds from the cycle after it until the next start. All of that is structure: one step for each
// bit of the dividend.

module ga2_divider (
    input  logic        clk_i,
    input  logic        rst_i,
    input  logic        wake_i,      // reset, start or stepping
    input  logic        start_i,
    input  logic [39:0] dividend_i,
    input  logic [39:0] divisor_i,
    output logic        done_o,
    output logic [39:0] quotient_o
);

  localparam logic [5:0] LastStep = 6'd39;

  logic stepping_q;
  logic [5:0] step_q;
  logic [39:0] divisor_q;
  logic [39:0] remainder_q;
  logic [39:0] quotient_q;  // dividend bits leave at the top, quotient bits enter at the bottom

  logic [40:0] difference;
  assign difference = {remainder_q, quotient_q[39]} - {1'b0, divisor_q};

  always_ff @(posedge clk_i) begin
    if (wake_i) begin
      if (rst_i) begin
        stepping_q <= 1'b0;
      end else if (start_i) begin
        stepping_q <= 1'b1;
        step_q <= 6'd0;
        divisor_q <= divisor_i;
        remainder_q <= 40'd0;
        quotient_q <= dividend_i;
      end else begin
        step_q <= step_q + 6'd1;
        remainder_q <= difference[40] ? {remainder_q[38:0], quotient_q[39]} : difference[39:0];
        quotient_q <= {quotient_q[38:0], !difference[40]};
        if (step_q == LastStep) stepping_q <= 1'b0;
      end
    end
  end

  assign done_o = stepping_q && (step_q == LastStep);
  assign quotient_o = quotient_q;

endmodule
